// The mathematics of "How many samples?"; detect.py is its Python twin. Rests on measures.js.

const nearer = (q, p, t) => q.map((x, i) => (1 - t) * x + t * p[i]);

const lawRejection = (p, q) => redrawn(least(p, q), residual(p, q)).law;
const lawRedraw = (p, q) => redrawn(least(p, q), p).law;

function lawRedrawAnother(p, q) {
  const kept = least(p, q);
  const rate = q.map((x, i) => (x - kept[i]) / (p[i] < 1 ? 1 - p[i] : p[i]));
  const total = sum(rate);
  return kept.map((x, i) => x + p[i] * (total - rate[i]));
}

function lawByteUniform(p) {
  let total = 0;
  const edges = p.slice(0, -1).map((x) => Math.min(Math.ceil(256 * (total += x)), 256));
  return [...edges, 256].map((edge, i) => (edge - (i ? edges[i - 1] : 0)) / 256);
}

const shift = (law, p) => sum(law.map((x, i) => (x - p[i]) ** 2 / p[i]));

// Chance that a non-central chi-square variable with 2 degrees of freedom stays below its critical value.
// It is the chance that a Poisson count of mean ncp/2 falls below one of mean -ln(cutoff): a short sum,
// because the second count is small, however large ncp is.
function missed(ncp, cutoff) {
  const half = -Math.log(cutoff);
  let weight = cutoff; // of the count m = 0
  let term = Math.exp(-ncp / 2);
  let below = 0; // chance that the first count is at most m - 1
  let total = 0;
  for (let m = 1; m <= 200; m += 1) {
    weight *= half / m;
    below += term;
    term *= ncp / 2 / m;
    total += weight * below;
  }
  return total;
}

const detection = (law, p, n, cutoff) => 1 - missed(n * shift(law, p), cutoff);

function samplesNeeded(law, p, cutoff) {
  const perSample = shift(law, p);
  if (perSample < 1e-24) return Infinity;
  let [low, high] = [0, 1e4];
  for (let step = 0; step < 80; step += 1) {
    const middle = (low + high) / 2;
    if (missed(middle, cutoff) > 0.5) low = middle;
    else high = middle;
  }
  return high / perSample;
}
