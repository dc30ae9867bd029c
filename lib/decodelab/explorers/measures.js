// Measures of rows and what becomes of one drafted token, for the figures that verify one.

const sum = (row) => row.reduce((total, x) => total + x, 0);
const least = (p, q) => p.map((x, i) => Math.min(x, q[i]));
const totalVariation = (a, b) => sum(a.map((x, i) => Math.abs(x - b[i]))) / 2;

function residual(p, q) {
  const excess = p.map((x, i) => Math.max(x - q[i], 0));
  const total = sum(excess);
  return total > 0 ? excess.map((x) => x / total) : p;
}

// The mass `kept` is emitted as drafted, all the rest is drawn from `row`.
function redrawn(kept, row) {
  const rest = 1 - sum(kept);
  return { kept, law: kept.map((x, i) => x + rest * row[i]) };
}
