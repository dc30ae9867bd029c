// "Shaping a row": logits under the reader's hand, temperature and truncation, and the order of the two.

const MARKUP = `
<section class="card" role="group" aria-label="Shaping a row">
  <div class="controls">${strategyControls('tokens')}
    <div class="control"><span class="note" id="hint">Drag a logit, or use the arrow keys on it.</span>
      <button type="button" id="reset">Reset</button></div>
  </div>
  <p class="result" id="result" role="status" aria-live="polite"></p>
  <div class="charts">
    <div><p class="chart-title">Logits, from −5 to 5</p><ul class="legend"><li style="--swatch:var(--target)">drag me</li></ul>
      <div class="logits" id="logits"></div><div class="ids" id="ids" aria-hidden="true"></div></div>
    <div><p class="chart-title">Probabilities</p><ul class="legend">
      <li style="--swatch:var(--muted)">softmax of the logits</li><li style="--swatch:var(--law)">the row drawn from</li></ul>
      <div id="chart"></div></div>
  </div>
  <div class="scroll" tabindex="0" role="region" aria-label="Rows and their entropies"><table id="table"></table></div>
</section>`;

const LIMIT = 5;
const names = (ids) => (ids.length === 1 ? `token ${ids[0]}` : `tokens ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`);
const support = (row) => row.flatMap((x, i) => (x > 0 ? [i] : []));
const four = (x) => (x < 1e-12 ? '0' : x < 5e-5 ? '&lt;.0001' : decimals(x, 4));

function sentence(s) {
  const kept = support(s.q);
  const head = `Kept: <b>${kept.length} of ${s.q.length}</b>, ${names(kept)}. Entropy before ${four(s.before)}, after <b>${four(s.after)} nats</b>.`;
  const others = support(s.other);
  const gap = tv(s.q, s.other);
  if (gap < 1e-9) return `${head} The order does not matter here: both orders give this row.`;
  const [mine, theirs] = s.strategy.first === 'temperature' ? ['temperature', 'truncation'] : ['truncation', 'temperature'];
  return `${head} <b>The order matters here</b>: ${mine} first keeps ${kept.length}, ${theirs} first keeps ${others.length}; the two rows are TV ${small(gap)} apart.`;
}

function chart(s) {
  const top = Math.max(0.5, Math.ceil(Math.max(...s.p, ...s.q) * 10 + 0.4) / 10);
  const y = (value) => 178 - (160 * value) / top;
  const [step, digits] = [324 / s.p.length, s.p.length > 6 ? 2 : 3];
  const bar = (value, x, kind) => `<rect x="${x}" y="${y(value)}" width="${step / 2 - 4}" height="${178 - y(value)}" class="${kind}"/>`
    + label(x + step / 4 - 2, y(value) - 4, value > 0 || kind === 'muted' ? decimals(value, digits) : '×', `middle ${value > 0 || kind === 'muted' ? 'number' : 'gone'}`);
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].filter((value) => value <= top);
  return `<svg viewBox="0 0 360 212" aria-hidden="true">
    ${ticks.map((v) => line(32, y(v), 356, y(v), v ? 'rule' : 'axis') + label(27, y(v) + 4, trimmed(v, 1), 'end')).join('')}
    ${s.p.map((x, i) => bar(x, 34 + step * i, 'muted') + bar(s.q[i], 32 + step * (i + 0.5), 'law') + label(32 + step * (i + 0.5), 193, i, 'middle')).join('')}
    ${label(194, 208, 'token', 'middle')}</svg>`;
}

function table(s) {
  const cell = (x) => (x > 0 ? `<td>${four(x)}</td>` : '<td class="gone">×</td>');
  const row = (name, values, last) => `<tr><th scope="row">${name}</th>${values.map(cell).join('')}<td>${last}</td></tr>`;
  const numbers = s.logits.map((z) => `<td>${z.toFixed(1).replace('-', '−')}</td>`);
  return `<thead><tr><th scope="col">token</th>${s.p.map((_, i) => `<th scope="col">${i}</th>`).join('')}<th scope="col">entropy</th></tr></thead>
    <tbody><tr><th scope="row">logit</th>${numbers.join('')}<td></td></tr>${row('softmax', s.p, four(s.before))}
    ${row(`after ${s.strategy.first === 'temperature' ? 'temperature' : 'truncation'}`, s.middle, four(entropy(s.middle)))}
    ${row('drawn from', s.q, four(s.after))}</tbody>`;
}

class Shaping extends LiveFigure {
  markup() {
    return MARKUP;
  }

  start({ logits, ...strategy }) {
    Object.assign(this, { given: { logits, ...strategy }, size: logits.length });
    this.part('k').max = logits.length;
    this.part('logits').innerHTML = logits.map((_, i) => `<div class="logit" role="slider" tabindex="0" data-token="${i}"
      aria-label="Logit of token ${i}" aria-orientation="vertical" aria-valuemin="${-LIMIT}" aria-valuemax="${LIMIT}" aria-describedby="hint">
      <div class="bar"></div><div class="figure"></div></div>`).join('');
    this.part('ids').innerHTML = logits.map((_, i) => `<span>${i}</span>`).join('');
    this.bars = [...this.part('logits').children];
    this.bars.forEach((bar, i) => this.attach(bar, i));
    this.part('reset').addEventListener('click', () => {
      this.restore();
      this.update();
    });
    this.restore();
  }

  restore() {
    const { logits, ...strategy } = this.given;
    this.logits = [...logits];
    setStrategy(this, strategy);
  }

  attach(bar, i) {
    const drag = (event) => {
      const { top, height } = bar.getBoundingClientRect();
      this.set(i, LIMIT - (2 * LIMIT * (event.clientY - top)) / height);
    };
    bar.addEventListener('pointerdown', (event) => {
      bar.setPointerCapture(event.pointerId);
      drag(event);
    });
    bar.addEventListener('pointermove', (event) => {
      if (bar.hasPointerCapture(event.pointerId)) drag(event);
    });
    bar.addEventListener('keydown', (event) => {
      const z = this.logits[i];
      const turns = {
        ArrowUp: z + 0.1, ArrowRight: z + 0.1, ArrowDown: z - 0.1, ArrowLeft: z - 0.1,
        PageUp: z + 1, PageDown: z - 1, Home: -LIMIT, End: LIMIT,
      };
      if (!(event.key in turns) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.set(i, turns[event.key]);
    });
  }

  set(i, z) {
    this.logits[i] = Math.max(-LIMIT, Math.min(LIMIT, Math.round(10 * z) / 10));
    this.update();
  }

  state() {
    const strategy = readStrategy(this);
    const p = softmax(this.logits, 1);
    const swapped = { ...strategy, first: strategy.first === 'temperature' ? 'truncation' : 'temperature' };
    const q = reshaped(p, strategy);
    const half = strategy.first === 'temperature' ? { k: this.size, mass: 1, ratio: 0 } : { T: 1 };
    return {
      strategy, p, q,
      logits: this.logits,
      middle: reshaped(p, { ...strategy, ...half }),
      other: reshaped(p, swapped),
      before: entropy(p),
      after: entropy(q),
    };
  }

  update() {
    const s = this.state();
    writeStrategy(this, s.strategy, this.size);
    this.bars.forEach((bar, i) => this.showBar(bar, s, i));
    this.part('result').innerHTML = sentence(s);
    this.part('result').classList.toggle('calm', tv(s.q, s.other) < 1e-9);
    this.part('chart').innerHTML = chart(s);
    this.part('table').innerHTML = table(s);
  }

  showBar(bar, s, i) {
    const z = s.logits[i];
    const [fill, figure] = bar.children;
    const text = z.toFixed(1).replace('-', '−');
    const percent = (value) => `${50 - (50 * value) / LIMIT}%`;
    fill.className = `bar ${z < 0 ? 'down' : 'up'}`;
    fill.style.top = percent(Math.max(z, 0));
    fill.style.height = `${(50 * Math.abs(z)) / LIMIT}%`;
    figure.textContent = text;
    // At the bar's end, or across the zero line where a long bar leaves no room.
    const [at, over] = Math.abs(z) > 4 ? [0, z < 0] : [z, z >= 0];
    figure.style.top = `calc(${percent(at)} ${over ? '- 1.5rem' : '+ 0.25rem'})`;
    bar.setAttribute('aria-valuenow', z);
    bar.setAttribute('aria-valuetext', `${text}: probability ${small(s.p[i])}, ${s.q[i] > 0 ? `then ${small(s.q[i])}` : 'removed'}`);
  }
}

define(Shaping);
