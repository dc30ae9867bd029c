// "What would have found it?": a fault of the museum, its exact law, its benchmark, and how many samples tell.

const NAMES = {
  draws_from_the_target_again: 'Rejected: resample from P',
  accepts_everything: 'Accept everything',
  accepts_what_is_likelier: 'Keep only if P ≥ Q, else draw from P',
  likelier_then_residual: 'Keep only if P ≥ Q, else residual',
  ratio_upside_down: 'P and Q swapped in ratio and residual',
  models_exchanged: 'Target and draft model exchanged',
  likeliest_token_first: 'First token always the likeliest',
  likeliest_recorded_as_drawn: 'Greedy draft, softmax recorded',
  row_before_the_cut: 'Q recorded before top-2',
  top_k: 'Top-k acceptance, k = 1',
  lenient: 'Lenient acceptance, ℓ = ½',
  typical_acceptance: 'Typical acceptance, ε = .09, δ = .3',
};
const TEXTS = {
  title: 'What would have found it?',
  choice: 'Fault',
  choices: NAMES,
  flags: 'it',
  wrong: 'with the fault',
  right: 'right rule',
  region: 'Laws, distances, acceptances and chances',
  it: 'it',
  named: 'law with the fault',
};

function benchmark({ acceptance, right, drafted, q }) {
  const same = drafted === q ? '' : ' with the same drafts';
  const other = `the right rule${same} shows <b>${small(right)}</b>`;
  if (Math.abs(acceptance - right) < 1e-12) return `A benchmark shows an acceptance of <b>${small(acceptance)}</b>, and so does the right rule${same}.`;
  return `A benchmark shows an acceptance of <b>${small(acceptance)}</b>${acceptance > right ? ', which looks better' : ''}: ${other}.`;
}

class MuseumSamples extends SampleFigure {
  texts() {
    return TEXTS;
  }

  laws(bug, p, q) {
    return shown(bug, p, q);
  }

  sentence(s) {
    const [level, alarm] = ALARMS[s.cutoff];
    const exact = s.tv < 1e-12 ? 'The law is P itself, <b>TV 0</b>: with this draft the fault cannot show, and no number of samples finds it.'
      : `With ${grouped(s.n)} samples, a χ² test at ${level} flags it <b>${often(s.power)}</b>, and the right rule ${alarm}. The exact law needs none: <b>TV ${small(s.tv)}</b>.`;
    return `${benchmark(s)} ${exact}`;
  }

  table(s) {
    const rows = [['right rule', s.p, s.right, s.cutoff], ['with the fault', s.law, s.acceptance, s.power]];
    const cells = ([name, law, kept, flagged], i) => `<tr><th scope="row">${name}</th>${law.map((x) => `<td>${trimmed(x, 4)}</td>`).join('')}
      <td class="${i ? 'fault' : ''}">${small(totalVariation(law, s.p))}</td><td>${small(kept)}</td><td>${small(flagged)}</td></tr>`;
    const head = ['token', ...s.p.keys(), 'exact TV', 'accepts', 'flagged'];
    return `<thead><tr>${head.map((text) => `<th scope="col">${text}</th>`).join('')}</tr></thead><tbody>${rows.map(cells).join('')}</tbody>`;
  }
}

define(MuseumSamples);
