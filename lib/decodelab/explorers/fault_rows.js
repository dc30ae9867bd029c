// Faults of the museum that show in one token; fault_rows.py is the Python twin. Rests on verify_row.js.

const likelier = (p, q, row) => redrawn(q.map((x, i) => (p[i] >= x ? x : 0)), row);
const upsideDown = (p, q) => redrawn(q.map((x, i) => (p[i] > 0 ? x * Math.min(1, x / p[i]) : x)), residual(q, p));
// The likeliest `count` tokens of a row, scaled to sum 1.
function likeliest(row, count) {
  const kept = row.map((x, i) => (ranks(row).indexOf(i) < count ? x : 0));
  return kept.map((x) => x / sum(kept));
}
// Rejection that takes q for the row of drafts that were drawn from `drafted`.
const recorded = (p, q, drafted) => ({
  ...redrawn(drafted.map((x, i) => (x > 0 ? x * Math.min(1, p[i] / q[i]) : 0)), residual(p, q)), drafted,
});

// Where the drafts are not drawn from q, `drafted` is the row from which they are.
const FAULTS = {
  draws_from_the_target_again: VERIFIED.redraw,
  accepts_everything: VERIFIED.accept_all,
  accepts_what_is_likelier: (p, q) => likelier(p, q, p),
  likelier_then_residual: (p, q) => likelier(p, q, residual(p, q)),
  ratio_upside_down: upsideDown,
  models_exchanged: (p, q) => ({ kept: least(p, q), law: q }),
  likeliest_token_first: (p, q) => ({ kept: q.map((x, i) => x * likeliest(p, 1)[i]), law: likeliest(p, 1) }),
  likeliest_recorded_as_drawn: (p, q) => recorded(p, q, likeliest(q, 1)),
  row_before_the_cut: (p, q) => recorded(p, q, likeliest(q, 2)),
  top_k: (p, q) => VERIFIED.top_k(p, q, { k: 1 }),
  lenient: (p, q) => VERIFIED.lenient(p, q, { leniency: 0.5 }),
  typical_acceptance: (p, q) => VERIFIED.typical_acceptance(p, q, { epsilon: 0.09, delta: 0.3 }),
};

function shown(name, p, q) {
  const { kept, law, drafted = q } = FAULTS[name](p, q);
  return { law, drafted, acceptance: sum(kept), right: sum(least(p, drafted)) };
}
