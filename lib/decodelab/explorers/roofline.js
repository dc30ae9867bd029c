// "The roofline of a decoding step": a device, a model, and where the step stands between the two bounds.

const slider = (id, text) => `<div class="control"><label for="${id}">${text}</label><span class="value" id="${id}-value"></span>
  <input id="${id}" type="range" min="0" step="1"></div>`;
const choice = (id, text) => `<div class="control"><label for="${id}">${text}</label><select id="${id}"></select></div>`;
const MARKUP = `
<section class="card" role="group" aria-label="The roofline of a decoding step">
  <div class="controls">${choice('device', 'Device')}${choice('model', 'Model')}${choice('dtype', 'Type of the weights')}
    ${slider('batch', 'Batch: texts side by side')}${slider('context', 'Context: tokens in each cache')}${slider('draft', 'Drafted tokens γ')}</div>
  <p class="result" id="result" role="status" aria-live="polite"></p>
  <div class="charts">
    <div><p class="chart-title">FLOP/s within reach, by FLOP per byte</p>
      <ul class="legend"><li style="--swatch:var(--target)">● this step</li><li style="--swatch:var(--muted)">○ with γ = 0</li><li style="--swatch:var(--text)">┆ ridge</li></ul>
      <div id="chart"></div></div>
    <div><p class="chart-title">Bytes read in the step</p>
      <ul class="legend"><li style="--swatch:var(--target)" id="weights-share"></li><li style="--swatch:var(--draft)" id="cache-share"></li></ul>
      <div id="bytes"></div>
      <p class="chart-title gap">Memory needed and present</p>
      <ul class="legend"><li style="--swatch:var(--target)">weights</li><li style="--swatch:var(--draft)">cache</li><li style="--swatch:var(--text)" id="memory-value"></li></ul>
      <div id="memory"></div>
      <p class="note" id="arithmetic"></p></div>
  </div>
  <div class="scroll" tabindex="0" role="region" aria-label="The step in numbers"><table id="table"></table></div>
</section>`;

const four = (x) => x.toLocaleString('en-US', { maximumSignificantDigits: 4 }).replace(/^0(?=\.)/, '');
const giga = (x) => `${four(x / 1e9)} GB`;
const ms = (x) => `${four(x * 1e3)} ms`;
const tera = (x, unit) => (x < 1e11 ? `${four(x / 1e9)} G${unit}` : `${four(x / 1e12)} T${unit}`);
const percent = (x) => `${(100 * x).toFixed(1)} %`;
const many = (n, one) => `${grouped(n)} ${one}${n === 1 ? '' : 's'}`;
const tooMuch = (device, step) => device.memory !== null && step.memory > device.memory;
const present = (device) => (device.memory === null ? 'an unknown amount' : giga(device.memory));
const computeBound = (step) => step.computing > step.reading;

function sentence({ name, device, step, batch, draft, v }) {
  const read = `${giga(step.weights)} of weights${step.cache ? ` and ${giga(step.cache)} of cache` : ''}`;
  const unit = batch * (draft + 1) === 1 ? 'token' : 'step';
  const bound = computeBound(step)
    ? `<b>${tera(step.flops, 'FLOP')} at ${tera(step.peak, 'FLOP/s')}: ${ms(step.seconds)} a ${unit}; compute bound</b> (reading ${read} takes ${ms(step.reading)}).`
    : `<b>${read} at ${tera(device.bandwidth, 'B/s')}: ${ms(step.seconds)} a ${unit}; memory bound</b>.`;
  const verify = draft ? ` Verifying ${many(draft, 'draft')} costs v(${draft}) = <b>${four(v)}</b> plain steps.` : '';
  const fits = tooMuch(device, step) ? ` <b>It does not fit:</b> ${giga(step.memory)} are needed, ${name} has ${giga(device.memory)}.` : '';
  return bound + verify + fits;
}

// --- drawings: both axes are logarithmic, and the same for every device

const [LEFT, RIGHT, TOP, FLOOR] = [48, 344, 10, 206];
const xOf = (intensity) => LEFT + ((RIGHT - LEFT) * (Math.log10(intensity) + 1)) / 6;
const yOf = (rate) => FLOOR - ((FLOOR - TOP) * (Math.log10(rate) - 9)) / 6.3;
const dot = (step, kind) => `<circle cx="${xOf(step.intensity)}" cy="${yOf(step.flops / step.seconds)}" r="6" class="${kind}"/>`;

function chart({ device, step, plain, draft }) {
  const { ridge, peak } = step;
  const across = [-1, 0, 1, 2, 3, 4, 5].map((k) => line(xOf(10 ** k), TOP, xOf(10 ** k), FLOOR, 'rule')
    + label(xOf(10 ** k), FLOOR + 15, k < 0 ? '.1' : k < 4 ? grouped(10 ** k) : powerOfTen(k), 'middle'));
  const up = ['1 G', '10 G', '100 G', '1 T', '10 T', '100 T', '1 P'].map((text, k) => line(LEFT, yOf(10 ** (9 + k)), RIGHT, yOf(10 ** (9 + k)), 'rule')
    + label(LEFT - 5, yOf(10 ** (9 + k)) + 4, text, 'end'));
  const roof = `M${xOf(0.1)} ${yOf(0.1 * device.bandwidth)}L${xOf(ridge)} ${yOf(peak)}H${RIGHT}`;
  return `<svg viewBox="0 0 360 238" aria-hidden="true">${across.join('')}${up.join('')}
    ${line(xOf(ridge), yOf(peak), xOf(ridge), FLOOR, 'dash')}${label(xOf(ridge) + 4, FLOOR - 6, `ridge ${four(ridge)}`)}
    <path d="${roof}" class="roof"/>${draft ? dot(plain, 'hollow') : ''}${dot(step, 'target')}
    ${label((LEFT + RIGHT) / 2, 235, 'FLOP per byte', 'middle')}</svg>`;
}

function bar(parts, whole, limit) {
  let at = 2;
  const drawn = parts.map(([size, kind]) => {
    const width = (356 * size) / whole;
    at += width;
    return `<rect x="${at - width}" y="4" width="${width}" height="22" class="${kind}"/>`;
  });
  const edge = limit ? 2 + (356 * limit) / whole : 0;
  return `<svg viewBox="0 0 360 30" aria-hidden="true">${drawn.join('')}${limit ? line(edge, 0, edge, 30, 'limit') : ''}</svg>`;
}

// --- the table: a plain step beside the one that verifies the drafts

function table({ batch, draft, plain, step }) {
  const rate = (count) => (seconds) => four((batch * count) / seconds);
  const lines = [
    ['tokens in the step', grouped(batch), grouped(batch * (draft + 1))],
    ['work, GFLOP', ...[plain, step].map((s) => four(s.flops / 1e9))],
    ['weights read, GB', ...[plain, step].map((s) => four(s.weights / 1e9))],
    ['cache read, GB', ...[plain, step].map((s) => four(s.cache / 1e9))],
    ['FLOP per byte', ...[plain, step].map((s) => four(s.intensity))],
    ['bound by', ...[plain, step].map((s) => (computeBound(s) ? 'arithmetic' : 'memory'))],
    ['time, ms', ...[plain, step].map((s) => four(s.seconds * 1e3))],
    ['plain steps it costs', '1', four(step.seconds / plain.seconds)],
    ['tokens per second', rate(1)(plain.seconds), draft ? `${rate(1)(step.seconds)} to ${rate(draft + 1)(step.seconds)}` : rate(1)(step.seconds)],
  ];
  const row = ([name, ...cells]) => `<tr><th scope="row">${name}</th>${cells.slice(0, draft ? 2 : 1).map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  const head = ['a step', 'γ = 0', `γ = ${draft}`].slice(0, draft ? 3 : 2);
  return `<thead><tr>${head.map((text) => `<th scope="col">${text}</th>`).join('')}</tr></thead><tbody>${lines.map(row).join('')}</tbody>`;
}

class Roofline extends LiveFigure {
  markup() {
    return MARKUP;
  }

  start({ devices, models, batches, contexts, drafts, ...given }) {
    Object.assign(this, { devices, models, scales: { batch: batches, context: contexts, draft: drafts } });
    const options = { device: devices, model: models, dtype: BYTES };
    for (const [name, values] of Object.entries(options)) {
      this.part(name).innerHTML = Object.keys(values).map((value) => `<option>${value}</option>`).join('');
      this.part(name).value = given[name];
    }
    for (const [name, scale] of Object.entries(this.scales)) {
      this.part(name).max = scale.length - 1;
      this.part(name).value = scale.indexOf(given[name]);
    }
  }

  state() {
    const [name, dtype] = [this.part('device').value, this.part('dtype').value];
    const [device, model] = [this.devices[name], this.models[this.part('model').value]];
    const at = (scale) => this.scales[scale][this.part(scale).value];
    const [batch, context, draft] = ['batch', 'context', 'draft'].map(at);
    const cost = (fresh) => costOfStep(device, model, dtype, { batch, context, fresh });
    const v = verificationCost(device, model, dtype, { batch, context }, draft);
    return { name, device, batch, context, draft, v, plain: cost(1), step: cost(draft + 1) };
  }

  update() {
    const s = this.state();
    const { device, step } = s;
    for (const name of ['batch', 'context', 'draft']) {
      this.part(`${name}-value`).textContent = grouped(s[name]);
      this.part(name).setAttribute('aria-valuetext', grouped(s[name]));
    }
    this.part('result').innerHTML = sentence(s);
    this.part('result').classList.toggle('calm', !tooMuch(device, step));
    this.part('chart').innerHTML = chart(s);
    this.part('weights-share').textContent = `weights ${percent(step.weights / step.bytes)}`;
    this.part('cache-share').textContent = `cache ${percent(step.cache / step.bytes)}`;
    this.part('bytes').innerHTML = bar([[step.weights, 'target'], [step.cache, 'draft']], step.bytes);
    this.part('memory-value').textContent = `${giga(step.memory)} of ${present(device)}`;
    this.part('memory').innerHTML = bar([[step.memory - step.cache, 'target'], [step.cache, 'draft']], 1.02 * Math.max(step.memory, device.memory), device.memory);
    this.part('arithmetic').textContent = `Arithmetic in ${step.arithmetic}, dense peak ${tera(step.peak, 'FLOP/s')}; the cache in 16 bits. 1 GB is 10⁹ bytes. Times are lower bounds; tokens per second run from no draft accepted to all, and drafting is not counted.`;
    this.part('table').innerHTML = table(s);
  }
}

define(Roofline);
