// The laws of whole sentences from a grammar of few rows; city_dots.py is the Python twin. Expects rows.js.
// A row is a list of arcs [words, probability, next row]; a next below 0 ends a sentence of type -1 - next.

// Every sentence: its words, its type and the arcs on its way, arcs numbered through all rows.
function listSentences(grammar) {
  const firsts = [];
  let count = 0;
  for (const row of grammar) {
    firsts.push(count);
    count += row.length;
  }
  const found = [];
  const walk = (at, words, arcs) => grammar[at].forEach(([more, , next], i) => {
    const [text, path] = [words ? `${words} ${more}` : more, [...arcs, firsts[at] + i]];
    if (next < 0) found.push({ text, type: -1 - next, path });
    else walk(next, text, path);
  });
  walk(grammar.length - 1, '', []);
  return found;
}

// The sentences' probabilities when each row of the grammar is reshaped by a strategy.
function sentenceLaw(grammar, sentences, strategy) {
  const arcs = grammar.flatMap((row) => reshaped(row.map((arc) => arc[1]), strategy));
  return sentences.map(({ path }) => path.reduce((product, arc) => product * arcs[arc], 1));
}

// What the law q has become beside the language's p: entropy, shares of types, sentences left and lost.
function standing(p, q, sentences, types) {
  const shares = new Array(types).fill(0);
  sentences.forEach(({ type }, i) => { shares[type] += q[i]; });
  const lost = total(p.filter((_, i) => q[i] === 0));
  return { entropy: entropy(q), shares, left: q.filter((x) => x > 0).length, lost, kl: kl(p, q) };
}
