// "How many samples?": which of three decoders is broken, by a chi-square test and by the exact law.

const BUGS = {
  redraw: { option: 'rejected: draw from P again', row: 'draw again', law: lawRedraw },
  another: { option: 'rejected: draw another from P', row: 'draw another', law: lawRedrawAnother },
  byte: { option: 'no draft: a uniform of 8 bits', row: '8-bit uniform', law: lawByteUniform },
};
const TEXTS = {
  title: 'How many samples?',
  choice: 'Decoder C, the broken one',
  choices: Object.fromEntries(Object.entries(BUGS).map(([key, bug]) => [key, bug.option])),
  flags: 'the decoder',
  wrong: 'broken C',
  right: 'right A, B',
  region: 'Laws, distances and chances',
  it: 'C',
  named: 'law of C',
};

class Samples extends SampleFigure {
  texts() {
    return TEXTS;
  }

  laws(bug, p, q) {
    return { law: BUGS[bug].law(p, q), undrafted: bug === 'byte' };
  }

  sentence(s) {
    const [level, alarm] = ALARMS[s.cutoff];
    if (s.tv < 1e-12) {
      return `Here the bug cannot show: nothing is ever rejected, the law is P itself, <b>TV 0</b>. No number of samples finds it; a better draft has hidden it.`;
    }
    return `With ${grouped(s.n)} samples, a χ² test at ${level} misses this bug <b>${often(1 - s.power)}</b>, and it flags each right decoder ${alarm}. The exact law needs no samples: C is off by <b>TV ${small(s.tv)}</b>, A and B by 0.`;
  }

  table(s) {
    const decoders = [
      ['A: sample from P', s.p, s.cutoff],
      ['B: draft, reject, residual', lawRejection(s.p, s.q), s.cutoff],
      [`C: ${s.bug === 'byte' ? '' : 'draft, reject, '}${BUGS[s.bug].row}`, s.law, s.power],
    ];
    const body = decoders.map(([name, law, flagged], i) => `<tr><th scope="row">${name}</th>
      ${law.map((x) => `<td>${trimmed(x, 4)}</td>`).join('')}
      <td class="${i === 2 ? 'fault' : ''}">${small(totalVariation(law, s.p))}</td><td>${small(flagged)}</td></tr>`);
    return `<thead><tr><th scope="col">decoder</th>${s.p.map((_, i) => `<th scope="col">token ${i}</th>`).join('')}
      <th scope="col">exact TV</th><th scope="col">χ² flags it</th></tr></thead><tbody>${body.join('')}</tbody>`;
  }
}

define(Samples);
