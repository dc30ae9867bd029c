// Maps and measures of rows of probabilities, as decodelab.dists has them; reshape.py is the Python twin.

// Added in NumPy's order (eight lanes from eight entries on): a sum that meets a bound there meets it here.
function total(row) {
  if (row.length < 8) return row.reduce((sum, x) => sum + x, 0);
  const r = row.slice(0, 8);
  let i = 8;
  for (; i + 8 <= row.length; i += 8) for (let j = 0; j < 8; j += 1) r[j] += row[i + j];
  let sum = r[0] + r[1] + (r[2] + r[3]) + (r[4] + r[5] + (r[6] + r[7]));
  for (; i < row.length; i += 1) sum += row[i];
  return sum;
}

function normalised(weights) {
  const sum = total(weights);
  return weights.map((x) => x / sum);
}

function softmax(logits, T) {
  const top = Math.max(...logits);
  if (T === 0) return logits.map((_, i) => (i === logits.indexOf(top) ? 1 : 0));
  return normalised(logits.map((z) => Math.exp((z - top) / T)));
}

const withTemperature = (p, T) => (T === 1 ? p : softmax(p.map(Math.log), T));

// The ids from the likeliest on; sort() is stable, so ties stay in the order of their ids.
const ranks = (p) => p.map((_, i) => i).sort((a, b) => p[b] - p[a]);

function keep(p, ids) {
  const kept = new Set(ids);
  return normalised(p.map((x, i) => (kept.has(i) ? x : 0)));
}

const topK = (p, k) => (k >= p.length ? p : keep(p, ranks(p).slice(0, k)));

function topP(p, mass) {
  if (mass >= 1) return p;
  const order = ranks(p);
  let before = p[order[0]];
  let count = 1;
  while (count < p.length && before < mass && p[order[count]] > 0) {
    before += p[order[count]];
    count += 1;
  }
  return keep(p, order.slice(0, count));
}

function minP(p, ratio) {
  const bound = ratio * Math.max(...p);
  return normalised(p.map((x) => (x >= bound ? x : 0)));
}

// One row under a strategy: temperature T and the truncations k, mass, ratio, in the order that `first` says.
function reshaped(p, { T, k, mass, ratio, first }) {
  const truncated = (row) => minP(topP(topK(row, k), mass), ratio);
  return first === 'temperature' ? truncated(withTemperature(p, T)) : withTemperature(truncated(p), T);
}

const entropy = (p) => -total(p.map((x) => (x > 0 ? x * Math.log(x) : 0)));
const tv = (p, q) => total(p.map((x, i) => Math.abs(x - q[i]))) / 2;
const kl = (p, q) => total(p.map((x, i) => (x > 0 ? x * (Math.log(x) - Math.log(q[i])) : 0)));
