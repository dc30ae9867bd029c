// One drafted token under each rule of verification; verify_row.py is the Python twin. Rests on measures.js.

const entropy = (p) => -sum(p.map((x) => (x > 0 ? x * Math.log(x) : 0)));

// The drafted tokens that pass are kept; the place of the others is drawn from p again.
const passing = (p, q, passes) => redrawn(q.map((x, i) => (passes(p[i], i) ? x : 0)), p);

// The chance that two draws with the same Gumbel noise agree on x is 1 / sum over y of max(p_y/p_x, q_y/q_x).
function agreement(p, q, x) {
  const total = sum(p.map((_, y) => Math.max(p[y] * q[x], q[y] * p[x])));
  return total > 0 ? (p[x] * q[x]) / total : 0;
}

// The ids from the likeliest on; sort() is stable, so ties stay in the order of their ids.
const ranks = (p) => p.map((_, i) => i).sort((a, b) => p[b] - p[a]);

const typicalBound = (p, { epsilon, delta }) => Math.min(epsilon, delta * Math.exp(-entropy(p)));

const VERIFIED = {
  rejection: (p, q) => redrawn(least(p, q), residual(p, q)),
  match: (p, q) => ({ kept: p.map((x, i) => x * q[i]), law: p }),
  gumbel: (p, q) => ({ kept: p.map((_, x) => agreement(p, q, x)), law: p }),
  top_k: (p, q, { k }) => passing(p, q, (_, i) => ranks(p).indexOf(i) < k),
  lenient: (p, q, { leniency }) => redrawn(q.map((x, i) => Math.min(x, p[i] / leniency)), residual(p, q)),
  typical_acceptance: (p, q, given) => passing(p, q, (x) => x > typicalBound(p, given)),
  redraw: (p, q) => redrawn(least(p, q), p),
  accept_all: (p, q) => ({ kept: q, law: q }),
};

// `row` with the probability of `token` at `value`, the others scaled to the rest of the mass.
function dragged(row, token, value) {
  let others = row.map((x, i) => (i === token ? 0 : x));
  if (!(sum(others) > 0)) others = row.map((_, i) => (i === token ? 0 : 1));
  const scale = (1 - value) / sum(others);
  return others.map((x, i) => (i === token ? value : x * scale));
}

const expectedTokens = (alpha, gamma) => sum(Array.from({ length: gamma + 1 }, (_, i) => alpha ** i));
