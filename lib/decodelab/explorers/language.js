// "9,127 sentences, re-weighted": the city language under temperature and truncation, every sentence a dot.

const MARKUP = `
<section class="card" role="group" aria-label="The city language, re-weighted">
  <div class="controls">${strategyControls('words')}
  </div>
  <p class="result" id="result" role="status" aria-live="polite"></p>
  <ul class="legend"><li style="--swatch:var(--target)">a sentence</li><li style="--swatch:var(--muted)">a sentence removed</li>
    <li style="--swatch:var(--wrong)">entropy now</li><li style="--swatch:var(--law)">entropy of the language</li></ul>
  <canvas id="dots" role="img"></canvas>
  <div class="control look"><label for="rank">Look at a sentence, the likeliest first</label><span class="value" id="rank-value"></span>
    <input id="rank" type="range" min="1" step="1" value="1" aria-describedby="spoken">
    <span class="note spoken" id="spoken"></span></div>
  <div class="scroll" tabindex="0" role="region" aria-label="Entropy, sentences left and shares of the types">
    <table id="table"></table></div>
</section>`;

const FARTHEST = 16; // nats: surprisals beyond stand at the edge
const BAND = [44, 62, 150, 52]; // height of the dots of each type, px
const spread = (i, step) => ((i * step) % 1) - 0.5; // steps of the golden section fill an interval evenly
const nats = (x) => (x === Infinity ? 'infinite' : Math.abs(x) < 1e-12 ? '0' : x < 5e-5 ? '&lt;.0001' : decimals(x, 4));

function sentence(s) {
  const change = s.now.entropy - s.was.entropy;
  const turn = Math.abs(change) < 5e-5 ? `stays at <b>${nats(s.now.entropy)} nats</b>`
    : `${change > 0 ? 'rises' : 'falls'} from ${nats(s.was.entropy)} to <b>${nats(s.now.entropy)} nats</b>`;
  const gone = s.p.length - s.now.left;
  if (!gone) return `The entropy of a sentence ${turn}. No sentence is lost: KL(language ‖ strategy) is <b>${nats(s.now.kl)} nats</b>.`;
  return `The entropy of a sentence ${turn}. ${grouped(gone)} of ${grouped(s.p.length)} sentences are lost, <b>${small(s.now.lost)}</b> of the language's mass: they can never be written, and KL(language ‖ strategy) is <b>infinite</b>.`;
}

class Language extends LiveFigure {
  markup() {
    return MARKUP;
  }

  start({ grammar, types, most, ...strategy }) {
    Object.assign(this, { grammar, types, most, sentences: listSentences(grammar) });
    this.members = types.map(() => 0);
    for (const one of this.sentences) one.at = this.members[one.type]++;
    this.p = sentenceLaw(grammar, this.sentences, { T: 1, k: most, mass: 1, ratio: 0, first: 'temperature' });
    this.was = standing(this.p, this.p, this.sentences, types.length);
    this.part('k').max = most;
    setStrategy(this, strategy);
    this.part('dots').addEventListener('pointermove', (event) => this.lookAt(event));
    this.part('rank').addEventListener('input', () => { this.chosen = null; });
    new ResizeObserver(() => this.draw()).observe(this.part('dots'));
  }

  update() {
    const strategy = readStrategy(this);
    const key = JSON.stringify(strategy);
    if (key !== this.key) this.reweigh(strategy, key);
    this.speak();
    this.draw();
  }

  reweigh(strategy, key) {
    this.key = key;
    this.q = sentenceLaw(this.grammar, this.sentences, strategy);
    this.now = standing(this.p, this.q, this.sentences, this.types.length);
    this.order = ranks(this.q);
    this.chosen = null;
    writeStrategy(this, strategy, this.most);
    this.part('rank').max = this.now.left;
    this.part('result').innerHTML = sentence(this);
    this.part('result').classList.toggle('calm', this.now.lost === 0);
    this.part('table').innerHTML = this.table();
    this.part('dots').setAttribute('aria-label', `${grouped(this.now.left)} dots, one for each sentence left, by surprisal in nats, in four bands: ${this.types.join(', ')}. A line marks the entropy, ${decimals(this.now.entropy, 4)} nats.`);
  }

  table() {
    const row = (name, s) => `<tr><th scope="row">${name}</th><td>${nats(s.entropy)}</td><td>${grouped(s.left)}</td><td>${nats(s.kl)}</td>${s.shares.map((x) => `<td>${nats(x)}</td>`).join('')}</tr>`;
    return `<thead><tr>${['law', 'entropy', 'sentences', 'KL', ...this.types].map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead>
      <tbody>${row('the language', this.was)}${row('re-weighted', this.now)}</tbody>`;
  }

  // --- one sentence: by the slider, or under the pointer

  shown() {
    return this.chosen ?? this.order[Number(this.part('rank').value) - 1];
  }

  speak() {
    const i = this.shown();
    const rank = this.part('rank').value;
    this.part('rank-value').textContent = this.chosen === null ? `no. ${grouped(Number(rank))} of ${grouped(this.now.left)}` : 'under the pointer';
    const [p, q] = [this.p[i], this.q[i]];
    const text = `${this.sentences[i].text} In the language ${small(p)}, now ${q > 0 ? `${small(q)}, surprisal ${trimmed(-Math.log(q), 3)} nats` : '0: removed'}.`;
    this.part('spoken').textContent = text;
    this.part('rank').setAttribute('aria-valuetext', `number ${rank}: ${this.sentences[i].text}`);
  }

  lookAt(event) {
    const box = this.part('dots').getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let [best, nearest] = [100, null];
    this.places.forEach(([a, b], i) => {
      const distance = (a - x) ** 2 + (b - y) ** 2;
      if (distance < best) [best, nearest] = [distance, i];
    });
    if (nearest === null || nearest === this.chosen) return;
    this.chosen = nearest;
    this.speak();
    this.draw();
  }

  // --- the dots

  followTheme() {
    super.followTheme();
    this.draw();
  }

  draw() {
    const canvas = this.part('dots');
    const [width, height] = [canvas?.clientWidth, canvas?.clientHeight];
    if (!width || !this.q) return;
    const scale = window.devicePixelRatio || 1;
    Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
    const pen = canvas.getContext('2d');
    pen.scale(scale, scale);
    const style = getComputedStyle(this.shadowRoot.querySelector('.card'));
    const colour = (role) => style.getPropertyValue(`--${role}`);
    const ink = style.color;
    const end = width - 80; // right of it the sentences that are removed
    const x = (value) => 8 + ((end - 16) * Math.min(value, FARTHEST)) / FARTHEST;
    const tops = BAND.map((_, i) => 18 + BAND.slice(0, i).reduce((sum, h) => sum + h + 18, 0));
    const floor = tops[3] + BAND[3] + 2;

    this.places = this.sentences.map(({ type, at }, i) => {
      const crowd = this.members[type] > 1000;
      const y = tops[type] + BAND[type] * (0.5 + 0.86 * spread(at, 0.6180339887498949));
      const side = spread(at, 0.41421356237309515);
      if (!(this.q[i] > 0)) return [end + 40 + 56 * side, y];
      return [x(Math.max(-Math.log(this.q[i]) + (crowd ? 0.12 * side : 0), 0)), y];
    });
    for (const kept of [false, true]) {
      pen.fillStyle = colour(kept ? 'target' : 'muted');
      this.sentences.forEach(({ type }, i) => {
        if (this.q[i] > 0 !== kept) return;
        const size = this.members[type] > 1000 ? 1.3 : 4;
        pen.fillRect(this.places[i][0] - size / 2, this.places[i][1] - size / 2, size, size);
      });
    }
    const rule = (from, top, to, bottom, role, dashes = []) => {
      pen.strokeStyle = colour(role);
      pen.setLineDash(dashes);
      pen.beginPath();
      pen.moveTo(from, top);
      pen.lineTo(to, bottom);
      pen.stroke();
    };
    const write = (text, at, y, align = 'left') => {
      pen.fillStyle = ink;
      pen.textAlign = align;
      pen.fillText(text, at, y);
    };
    pen.lineWidth = 1;
    rule(8, floor, end - 8, floor, 'muted');
    rule(end, 0, end, floor, 'grid');
    pen.lineWidth = 2;
    rule(x(this.was.entropy), 4, x(this.was.entropy), floor, 'law', [5, 4]);
    rule(x(this.now.entropy), 4, x(this.now.entropy), floor, 'wrong');
    pen.font = `600 12px ${style.fontFamily}`;
    this.types.forEach((name, i) => {
      const left = this.sentences.filter((one, j) => one.type === i && this.q[j] > 0).length;
      write(`${name}: ${grouped(left)}`, 8, tops[i] - 4);
    });
    pen.font = `12px ${style.fontFamily}`;
    for (const tick of [0, 4, 8, 12, 16]) write(tick < FARTHEST ? tick : `${tick}+`, x(tick), floor + 15, tick < FARTHEST ? 'center' : 'right');
    write('surprisal, nats', x(8), floor + 31, 'center');
    write('removed', end + 40, floor + 15, 'center');
    write(grouped(this.p.length - this.now.left), end + 40, floor + 31, 'center');
    const [cx, cy] = this.places[this.shown()];
    pen.strokeStyle = ink;
    pen.setLineDash([]);
    pen.beginPath();
    pen.arc(cx, cy, 6, 0, 2 * Math.PI);
    pen.stroke();
  }
}

define(Language);
