// "Verifying one drafted token": p and q under the reader's hand, the law of each rule, tokens a call.

const RULES = {
  rejection: ['Rejection (exact)', 'Keep x with min(1, p/q); else draw from norm((p − q)₊).'],
  match: ['Sample and match (exact)', 'Draw y from p and emit it; the draft x is kept if x = y.'],
  gumbel: ['Gumbel coupling (exact)', 'x maximises log q + g and y log p + g, with one noise g. Emit y; x is kept if x = y.'],
  top_k: ['Top-k acceptance (lossy)', 'Keep x if it is among the k likeliest of p; else draw from p.'],
  lenient: ['Lenient acceptance (lossy)', 'Keep x with min(1, p/(ℓq)); else draw from norm((p − q)₊).'],
  typical_acceptance: ['Typical acceptance (lossy)', 'Keep x if p(x) > min(ε, δ·e⁻ᴴ); else draw from p.'],
  redraw: ['Broken: resample from p', 'As rejection, but draw from p in place of the residual.'],
  accept_all: ['Broken: accept everything', 'Keep every draft.'],
};
const TURNS = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10, Home: -100, End: 100 };
const EXACT = ['rejection', 'match', 'gumbel'];
// The sliders, and the rule that has them.
const SLIDERS = { gamma: '', k: 'top_k', leniency: 'lenient', epsilon: 'typical_acceptance', delta: 'typical_acceptance' };
const PRESETS = {
  'P and Q': [[0.5, 0.3, 0.2], [0.2, 0.5, 0.3]],
  'p = q': [],
  disjoint: [[0.6, 0.4, 0], [0, 0, 1]],
  'four tokens': [[0.5, 0.3, 0.15, 0.05], [0.2, 0.3, 0.3, 0.2]],
};
const all = (items, draw) => items.map(draw).join('');
const slider = (id, text, min, max, step) => `<div class="control"><label for="${id}">${text}</label><span class="value" id="${id}-value"></span>
  <input id="${id}" type="range" min="${min}" max="${max}" step="${step}"></div>`;
const legend = (items) => `<ul class="legend">${all(Object.entries(items), ([role, text]) => `<li style="--swatch:var(--${role})">${text}</li>`)}</ul>`;
const MARKUP = `
<section class="card" role="group" aria-label="Verifying one drafted token">
  <div class="controls">
    <div class="control"><label for="rule">Rule</label>
      <select id="rule" aria-describedby="note">${all(Object.entries(RULES), ([key, [name]]) => `<option value="${key}">${name}</option>`)}</select>
      <span class="note" id="note"></span></div>
    ${slider('gamma', 'Drafted tokens γ', 0, 10, 1)}${slider('k', 'k', 1, 4, 1)}${slider('leniency', 'Lenience ℓ', 0.1, 1, 0.05)}
    ${slider('epsilon', 'Threshold ε', 0, 1, 0.01)}${slider('delta', 'Factor δ', 0, 1, 0.01)}
  </div>
  <div class="presets" id="presets">${all(Object.keys(PRESETS), (name) => `<button type="button">${name}</button>`)}</div>
  <p class="result" id="result" role="status" aria-live="polite"></p>
  <div class="charts">
    <div><p class="chart-title">Drag the bars, or use the arrow keys</p>
      ${legend({ target: 'p, target', draft: 'q, draft', law: 'min(p, q), kept by rejection' })}<div class="rows" id="rows"></div></div>
    <div><p class="chart-title" id="title"></p>
      ${legend({ target: 'p', law: 'draft kept', muted: 'drawn instead' })}<div id="emitted"></div></div>
    <div><p class="chart-title">Expected tokens a call</p>
      ${legend({ law: 'this rule', muted: 'rejection' })}<div id="tokens"></div></div>
    <div class="scroll" tabindex="0" role="region" aria-label="Rows in numbers"><table id="table"></table></div>
  </div>
</section>`;

function sentence(s) {
  const right = `Σ min(p, q) = 1 − TV(p, q) = <b>${small(s.alpha)}</b>`;
  const keeps = s.rule === 'rejection' ? `It accepts α = ${right}.` : `It keeps a draft with chance <b>${small(s.acceptance)}</b>, rejection with ${right}.`;
  const never = s.alpha > 1 - 1e-12 ? ' As p = q, the residual is zero; p stands for it.' : '';
  const exact = EXACT.includes(s.rule) ? 'Exact: p comes out, TV 0.' : 'For these rows p comes out, TV 0; not for all.';
  return `<b>${s.tv > 1e-12 ? `Not p: TV ${small(s.tv)}.` : exact}</b> ${keeps} With γ&nbsp;=&nbsp;${s.gamma}, a call gives <b>${trimmed(s.tokens, 3)}</b> ${s.tokens === 1 ? 'token' : 'tokens'}${s.limit < 1e9 ? `, at most ${trimmed(s.limit, 3)} for any γ` : ''}.${never}`;
}

// --- two charts and the table

const axes = (y, ticks, title) => `<svg viewBox="0 0 360 212" aria-hidden="true">${label(194, 209, title, 'middle')}`
  + all(ticks, (v) => line(32, y(v), 356, y(v), v ? 'rule' : 'axis') + label(27, y(v) + 4, trimmed(v, 1), 'end'));
const differs = (s, i) => Math.abs(s.law[i] - s.p[i]) > 1e-12;

function emitted(s) {
  const top = Math.max(0.5, Math.ceil(Math.max(...s.p, ...s.law) * 10 + 0.4) / 10);
  const y = (value) => 178 - (160 * value) / top;
  const step = 324 / s.p.length;
  const wide = step / 2 - 6;
  const box = (x, from, to, kind) => `<rect x="${x}" y="${y(to)}" width="${wide}" height="${Math.max(y(from) - y(to), 0)}" class="${kind}"/>`;
  const number = (x, value, kind) => label(x + wide / 2, y(value) - 4, trimmed(value, 3), `middle number ${kind}`);
  return `${axes(y, [0, 0.2, 0.4, 0.6, 0.8, 1].filter((v) => v <= top), 'probability of each token')}${all(s.p, (value, i) => {
    const [x, other] = [36 + step * i, 39 + step * i + wide];
    return box(x, 0, value, 'target') + box(other, 0, s.kept[i], 'law') + box(other, s.kept[i], s.law[i], 'muted')
      + number(x, value, '') + number(other, s.law[i], differs(s, i) ? 'off' : '') + label(x + wide + 1, 193, `token ${i}`, 'middle');
  })}</svg>`;
}

function tokens(s) {
  const counts = [...Array(11).keys()];
  const top = [4, 8, 12].find((height) => Math.max(Math.min(s.limit, 11), expectedTokens(s.alpha, 10)) < height);
  const [x, y] = [(gamma) => 42 + 30 * gamma, (value) => 178 - (160 * value) / top];
  const curve = (alpha, kind) => `<polyline points="${counts.map((n) => `${x(n)},${y(expectedTokens(alpha, n))}`).join(' ')}" class="${kind}"/>`;
  const dot = (n) => `<circle cx="${x(n)}" cy="${y(expectedTokens(s.acceptance, n))}" r="${n === s.gamma ? 6 : 3}" class="law"/>`;
  return `${axes(y, [0, top / 4, top / 2, (3 * top) / 4, top], 'drafted tokens γ')}${s.limit < top ? line(32, y(s.limit), 356, y(s.limit), 'dash') + label(356, y(s.limit) - 8, 'limit 1/(1 − α)', 'end') : ''}
    ${curve(s.alpha, 'other')}${curve(s.acceptance, '')}${all(counts, (n) => dot(n) + label(x(n), 193, n, 'middle'))}
    ${label(x(s.gamma), y(s.tokens) - 10, trimmed(s.tokens, 3), s.gamma > 8 ? 'end' : 'middle')}</svg>`;
}

function table(s) {
  const row = (name, values, last = 1) => `<tr><th scope="row">${name}</th>${all([...values, last], (x) => `<td>${trimmed(x, 4)}</td>`)}</tr>`;
  const gap = (x, i) => (differs(s, i) ? `<td class="off">${x > s.p[i] ? '+' : '−'}${small(Math.abs(x - s.p[i]))}</td>` : '<td>0</td>');
  return `<thead><tr>${all(['token', ...s.p.keys(), 'sum'], (text) => `<th scope="col">${text}</th>`)}</tr></thead><tbody>
    ${row('p', s.p)}${row('q', s.q)}${row('min(p, q)', least(s.p, s.q), s.alpha)}${row('residual', residual(s.p, s.q))}
    ${row('kept', s.kept, s.acceptance)}${row('emitted', s.law)}
    <tr><th scope="row">emitted − p</th>${all(s.law, gap)}<td>TV ${small(s.tv)}</td></tr></tbody>`;
}

class Verification extends LiveFigure {
  markup() {
    return MARKUP;
  }

  start({ p, q, ...chosen }) {
    this.show(p, q);
    for (const [name, value] of Object.entries(chosen)) this.part(name).value = value;
    this.part('presets').addEventListener('click', ({ target }) => {
      const rows = PRESETS[target.textContent];
      if (!rows) return;
      this.show(rows[0] ?? this.p, rows[1] ?? this.p);
      this.update();
    });
  }

  // The rows, and two bars a token that stand for them.
  show(p, q) {
    Object.assign(this, { p, q, moved: null });
    this.part('k').max = p.length;
    const track = (row, name, i) => `<div class="track" role="slider" tabindex="0" style="--own:var(--${name})" aria-label="${name} ${row} of token ${i}"
      aria-orientation="vertical" aria-valuemin="0" aria-valuemax="1"><div class="bar"></div><div class="shared"></div><div class="figure"></div></div>`;
    this.part('rows').innerHTML = `<div class="scale" aria-hidden="true">${all([1, '.5', 0], (text) => `<span>${text}</span>`)}</div>`
      + all(p, (_, i) => `<div class="pair">${track('p', 'target', i)}${track('q', 'draft', i)}<span>p(${i})</span><span>q(${i})</span></div>`);
    this.tracks = [...this.part('rows').querySelectorAll('.track')];
    this.tracks.forEach((one, at) => this.attach(one, 'pq'[at % 2], at >> 1));
  }

  attach(track, row, i) {
    const on = (type, act) => track.addEventListener(type, act);
    on('pointerdown', ({ pointerId }) => track.setPointerCapture(pointerId));
    for (const type of ['pointerdown', 'pointermove']) {
      on(type, ({ pointerId, clientY }) => {
        if (!track.hasPointerCapture(pointerId)) return;
        this.set(row, i, (track.getBoundingClientRect().bottom - clientY) / track.offsetHeight);
      });
    }
    on('keydown', (event) => {
      if (!(event.key in TURNS) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.set(row, i, this[row][i] + TURNS[event.key] / 100);
    });
  }

  // As long as one bar is moved, the others keep the proportions they had before: to 1 and back loses nothing.
  set(row, i, value) {
    if (this.moved?.row !== row || this.moved.i !== i) this.moved = { row, i, before: this[row] };
    this[row] = dragged(this.moved.before, i, Math.max(0, Math.min(1, Math.round(100 * value) / 100)));
    this.update();
  }

  state() {
    const { p, q } = this;
    const rule = this.part('rule').value;
    const settings = Object.fromEntries(Object.keys(SLIDERS).map((name) => [name, Number(this.part(name).value)]));
    const { kept, law } = VERIFIED[rule](p, q, settings);
    const acceptance = Math.min(sum(kept), 1);
    return {
      ...settings, p, q, rule, kept, law, acceptance,
      alpha: sum(least(p, q)),
      tv: totalVariation(law, p),
      tokens: expectedTokens(acceptance, settings.gamma),
      limit: 1 / (1 - acceptance),
    };
  }

  update() {
    const s = this.state();
    for (const [name, rule] of Object.entries(SLIDERS)) {
      const text = trimmed(s[name], 2);
      this.part(name).parentNode.hidden = rule && rule !== s.rule;
      this.part(`${name}-value`).textContent = text;
      this.part(name).setAttribute('aria-valuetext', text);
    }
    this.part('result').classList.toggle('calm', s.tv < 1e-12);
    this.tracks.forEach((track, at) => this.showBar(track, s['pq'[at % 2]][at >> 1], Math.min(s.p[at >> 1], s.q[at >> 1])));
    const bound = SLIDERS.delta === s.rule ? ` Here H = ${small(entropy(s.p))} nats and the bound is ${small(typicalBound(s.p, s))}.` : '';
    const written = {
      note: RULES[s.rule][1] + bound, result: sentence(s), title: `What comes out: TV ${small(s.tv)} from p`,
      emitted: emitted(s), tokens: tokens(s), table: table(s),
    };
    for (const [name, html] of Object.entries(written)) this.part(name).innerHTML = html;
  }

  showBar(track, value, both) {
    const [bar, shared, figure] = track.children;
    const text = trimmed(value, 3);
    bar.style.height = `${100 * value}%`;
    shared.style.height = `${100 * both}%`;
    figure.textContent = text;
    figure.style.bottom = `calc(${100 * value}% + 3px)`;
    track.setAttribute('aria-valuenow', value);
    track.setAttribute('aria-valuetext', `${text}, min(p, q) ${trimmed(both, 3)}`);
  }
}

define(Verification);
