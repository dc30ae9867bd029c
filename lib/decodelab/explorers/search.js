// Beam search and exhaustive search as decodelab.beam has them, on a model whose next word depends on the
// last one: rows[i] is the law after word i, and rows[0] the first word's, since word 0 ends the text.

const textOrder = (a, b) => {
  const i = a.findIndex((token, at) => token !== b[at]);
  return i < 0 ? a.length - b.length : a[i] - (i < b.length ? b[i] : -1);
};
const ranked = (texts) => texts.sort((a, b) => b.score - a.score || textOrder(a.tokens, b.tokens));
const EMPTY = { tokens: [], score: 0, prob: 1, finished: false, parent: null };

const continuations = (rows, parent) => rows[parent.tokens.at(-1) ?? 0].flatMap((p, token) => (p > 0 ? [{
  tokens: [...parent.tokens, token], score: parent.score + Math.log(p), prob: parent.prob * p, last: p,
  finished: token === 0, parent,
}] : []));

// A step is the beam after it, all that was compared, and the model calls so far. Finished texts are
// carried along and compete.
function beamSearch(rows, width, maxTokens) {
  const steps = [{ beam: [EMPTY], grown: [], calls: 0 }];
  while (steps.length <= maxTokens && steps.at(-1).beam.some((text) => !text.finished)) {
    const { beam, calls } = steps.at(-1);
    const grown = beam.flatMap((text) => (text.finished ? [text] : continuations(rows, text)));
    const called = beam.filter((text) => !text.finished).length;
    steps.push({ beam: ranked(grown.slice()).slice(0, width), grown, calls: calls + called });
  }
  return steps;
}

// The most probable complete text of at most maxTokens (null if there is none), and the calls it takes.
function exhaustive(rows, maxTokens) {
  const complete = [];
  let calls = 0;
  const expand = (text) => {
    calls += 1;
    for (const grown of continuations(rows, text)) {
      if (grown.finished) complete.push(grown);
      else if (grown.tokens.length < maxTokens) expand(grown);
    }
  };
  expand(EMPTY);
  return { best: ranked(complete)[0] ?? null, count: complete.length, calls };
}

// Row with entry i set to x; the other entries keep their proportions and the sum stays 1.
function withEntry(row, options, i, x) {
  const others = options.filter((j) => j !== i);
  const rest = others.reduce((sum, j) => sum + row[j], 0);
  const share = (j) => (rest > 0 ? row[j] / rest : 1 / others.length);
  return row.map((p, j) => (j === i ? x : others.includes(j) ? (1 - x) * share(j) : p));
}
