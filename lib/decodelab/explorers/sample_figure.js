// What the figures about samples share: controls, charts and the chances of a chi-square test.

const ALARMS = { 0.05: ['5 %', 'once in 20'], 0.000001: ['10⁻⁶', 'once in a million'] };
const options = (choices) => Object.entries(choices).map(([value, text]) => `<option value="${value}">${text}</option>`).join('');

const card = ({ title, choice, choices, flags, wrong, right, region }) => `
<section class="card" role="group" aria-label="${title}">
  <div class="controls">
    <div class="control"><label for="bug">${choice}</label>
      <select id="bug">${options(choices)}</select></div>
    <div class="control"><label for="cutoff">Cut-off of the test</label>
      <select id="cutoff">
        <option value="0.05">5 %: false alarm once in 20</option>
        <option value="0.000001">10⁻⁶: once in a million</option>
      </select></div>
    <div class="control"><label for="n">Samples n</label><span class="value" id="n-value"></span>
      <input id="n" type="range" min="1" max="8" step="0.1" aria-describedby="n-note">
      <span class="note" id="n-note"></span></div>
    <div class="control"><label for="t">Draft quality t</label><span class="value" id="t-value"></span>
      <input id="t" type="range" min="0" max="1" step="0.05" aria-describedby="t-note">
      <span class="note" id="t-note"></span></div>
  </div>
  <p class="result" id="result" role="status" aria-live="polite"></p>
  <div class="charts">
    <div><p class="chart-title">The exact laws</p><ul class="legend" id="legend"></ul><div id="bars"></div></div>
    <div><p class="chart-title">Chance that χ² flags ${flags}</p><ul class="legend">
      <li style="--swatch:var(--wrong)">${wrong}</li><li style="--swatch:var(--law)">${right}</li></ul>
      <div id="curve"></div></div>
  </div>
  <div class="scroll" tabindex="0" role="region" aria-label="${region}">
    <table id="table"></table></div>
</section>`;

const samplesAt = (position) => Number((10 ** position).toPrecision(2));

function often(chance) {
  if (chance > 0.995) return 'practically always';
  if (chance < 0.005) return 'practically never';
  const base = chance >= 0.1 && chance <= 0.9 ? 10 : 100;
  const times = Math.round(base * chance);
  return `${times === 1 ? 'once' : `${times} times`} in ${base}`;
}

// --- the two charts ---------------------------------------------------------------------------------

function bars(s) {
  const top = Math.ceil(Math.max(...s.series.flatMap((one) => one.row)) * 10 + 0.4) / 10;
  const y = (value) => 178 - (160 * value) / top;
  const step = 96 / s.series.length;
  const bar = ({ row, kind }, k, i) => {
    const x = 38 + 108 * i + step * k;
    const height = (160 * row[i]) / top;
    return `<rect x="${x}" y="${y(row[i])}" width="${step - 3}" height="${height}" class="${kind}"/>`
      + label(x + (step - 3) / 2, y(row[i]) - 4, trimmed(row[i], 4), 'middle number');
  };
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].filter((value) => value <= top);
  return `<svg viewBox="0 0 360 212" aria-hidden="true">
    ${ticks.map((v) => line(32, y(v), 356, y(v), v ? 'rule' : 'axis') + label(27, y(v) + 4, trimmed(v, 1), 'end')).join('')}
    ${s.p.map((_, i) => s.series.map((one, k) => bar(one, k, i)).join('') + label(85 + 108 * i, 194, `token ${i}`, 'middle')).join('')}
    ${label(85 + 108, 209, 'probability of each token', 'middle')}</svg>`;
}

function curve(s) {
  const x = (n) => 40 + (306 * (Math.log10(n) - 1)) / 7;
  const y = (chance) => 170 - 152 * chance;
  const grid = Array.from({ length: 141 }, (_, i) => 10 ** (1 + i / 20));
  const points = grid.map((n) => `${x(n).toFixed(1)},${y(detection(s.law, s.p, n, s.cutoff)).toFixed(1)}`);
  const half = s.half >= 10 && s.half <= 1e8 ? line(x(s.half), y(0), x(s.half), y(0.5), 'dash') + line(40, y(0.5), x(s.half), y(0.5), 'dash') : '';
  return `<svg viewBox="0 0 360 212" aria-hidden="true">
    ${[0, 0.5, 1].map((v) => line(40, y(v), 346, y(v), v ? 'rule' : 'axis') + label(34, y(v) + 4, trimmed(v, 1), 'end')).join('')}
    ${[1, 2, 3, 4, 5, 6, 7, 8].map((k) => line(x(10 ** k), y(0), x(10 ** k), y(0) + 4, 'axis') + label(x(10 ** k), 187, powerOfTen(k), 'middle')).join('')}
    ${half}${line(40, y(s.cutoff), 346, y(s.cutoff), 'alarm')}
    <polyline points="${points.join(' ')}" class="curve"/>
    ${line(x(s.n), y(0), x(s.n), y(1), 'axis')}<circle cx="${x(s.n)}" cy="${y(s.power)}" r="5.5" class="wrong"/>
    ${label(193, 206, 'samples n (logarithmic)', 'middle')}</svg>`;
}

// A figure gives `texts()`, `laws(bug, p, q)`, which holds the law and what else it shows, `sentence(s)`
// and `table(s)`.
class SampleFigure extends LiveFigure {
  markup() {
    return card(this.texts());
  }

  start(given) {
    this.given = given;
    this.part('bug').value = given.bug;
    this.part('cutoff').value = String(given.cutoff === 1e-6 ? '0.000001' : given.cutoff);
    this.part('n').value = Math.log10(given.n);
    this.part('t').value = given.t;
  }

  state() {
    const [bug, cutoff] = [this.part('bug').value, Number(this.part('cutoff').value)];
    const [t, n] = [Number(this.part('t').value), samplesAt(Number(this.part('n').value))];
    const p = this.given.p;
    const q = nearer(this.given.q, p, t);
    const found = this.laws(bug, p, q);
    const { law } = found;
    const series = [{ row: p, kind: 'target' }, { row: q, kind: 'draft' }, { row: law, kind: 'wrong' }];
    return {
      ...found, bug, cutoff, t, n, p, q,
      series: found.undrafted ? [series[0], series[2]] : series,
      tv: totalVariation(law, p),
      power: detection(law, p, n, cutoff),
      half: samplesNeeded(law, p, cutoff),
    };
  }

  update() {
    const [s, { it, named }] = [this.state(), this.texts()];
    this.part('n-value').textContent = grouped(s.n);
    this.part('n').setAttribute('aria-valuetext', `${grouped(s.n)} samples`);
    this.part('n-note').textContent = s.half === Infinity ? `No number of samples flags ${it}.`
      : `An even chance to flag ${it} takes ${grouped(Math.ceil(s.half))}.`;
    this.part('t').disabled = Boolean(s.undrafted);
    this.part('t-value').textContent = s.undrafted ? 'not used' : trimmed(s.t, 2);
    this.part('t-note').textContent = s.undrafted ? 'This bug drafts nothing: it has no Q.'
      : `Q = (${s.q.map((x) => trimmed(x, 4)).join(', ')}); t = 1 is P itself.`;
    this.part('result').innerHTML = this.sentence(s);
    this.part('legend').innerHTML = `<li style="--swatch:var(--target)">P, target</li>${s.undrafted ? '' : '<li style="--swatch:var(--draft)">Q, draft</li>'}<li style="--swatch:var(--wrong)">${named}</li>`;
    this.part('bars').innerHTML = bars(s);
    this.part('curve').innerHTML = curve(s);
    this.part('table').innerHTML = this.table(s);
  }
}
