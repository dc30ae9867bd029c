// "Beam search, step by step": the tree of texts, what the beam keeps, and the best sentence of all.

const MARKUP = `
<section class="card" role="group" aria-label="Beam search, step by step">
  <div class="controls">
    <div class="control"><label for="width">Beam width B</label><span class="value" id="width-value"></span>
      <input id="width" type="range" min="1" max="4" step="1"></div>
    <div class="control"><span class="value" id="step-value"></span>
      <div class="buttons note"><button type="button" id="back">◀ Back</button><button type="button" id="on">Step ▶</button>
        <button type="button" id="reset">Start again</button></div></div>
  </div>
  <p class="result" id="result" role="status" aria-live="polite"></p>
  <ul class="legend"><li style="--swatch:var(--law)">● kept</li><li style="--swatch:var(--target)">■ finished, kept</li>
    <li style="--swatch:var(--text)">○ continued</li><li style="--swatch:var(--muted)">× pruned</li><li style="--swatch:var(--draft)" id="best-key">best sentence</li></ul>
  <div class="scroll tree" tabindex="0" role="region" aria-label="Tree of texts; the table below says the same" id="tree"></div>
  <div class="scroll" tabindex="0" role="region" aria-label="The beam"><table id="table"></table></div>
  <details open><summary>Edit the model: the law of the next word, by the last one</summary>
    <p class="note">The other entries of a row keep their proportions; a row always sums to 1. “.” ends the sentence.</p>
    <div class="rows" id="rows"></div><button type="button" id="restore">Restore the model</button></details>
</section>`;

const safe = (text) => text.replace(/[&<"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
const many = (n, one, more = `${one}s`) => `${n} ${n === 1 ? one : more}`;
const score = (x) => (x === 0 ? '0' : x.toFixed(3).replace('-', '−'));
const chance = (x) => (x >= 0.001 ? trimmed(x, 4) : small(x));

class Beam extends LiveFigure {
  markup() {
    return MARKUP;
  }

  start({ words, rows, width, max_tokens: maxTokens, step }) {
    Object.assign(this, { words, rows, maxTokens, at: step, given: rows });
    this.options = rows.map((row) => row.flatMap((p, token) => (p > 0 ? [token] : [])));
    this.order = words.map((_, i) => i);
    this.part('width').value = width;
    const turn = { back: () => this.at - 1, on: () => this.at + 1, reset: () => 0 };
    for (const [name, next] of Object.entries(turn)) {
      this.part(name).addEventListener('click', () => {
        this.at = next();
        this.update();
      });
    }
    this.part('restore').addEventListener('click', () => {
      this.rows = this.given;
      this.showRows();
      this.update();
    });
    this.part('rows').innerHTML = this.order.map((last) => this.editor(last)).join('');
    this.part('rows').addEventListener('input', (event) => this.edit(event.target));
    this.part('rows').addEventListener('change', () => this.showRows());
    this.showRows();
  }

  text(tokens) {
    return tokens.map((token) => safe(this.words[token])).join(' ') || '(start)';
  }

  // One word; the end stands in quotation marks, or a point would look like part of a number.
  word(token) {
    return token === 0 ? `“${safe(this.words[0])}”` : safe(this.words[token]);
  }

  // --- the model

  editor(last) {
    const name = last ? `after “${safe(this.words[last])}”` : 'first word';
    const fields = this.options[last].map((token) => `<label>${this.word(token)}
      <input type="number" min="0" max="1" step="0.05" data-last="${last}" data-token="${token}"
        aria-label="${safe(this.words[token])}, ${name}" ${this.options[last].length === 1 ? 'disabled' : ''}></label>`);
    return `<fieldset class="row"><legend>${name}</legend>${fields.join('')}</fieldset>`;
  }

  edit(field) {
    const [last, token, x] = [Number(field.dataset.last), Number(field.dataset.token), field.valueAsNumber];
    if (!(x >= 0 && x <= 1)) return; // half typed: the last valid row stays until the field is left
    this.rows = this.rows.map((row, i) => (i === last ? withEntry(row, this.options[last], token, x) : row));
    this.showRows(field);
  }

  showRows(except) {
    for (const field of this.part('rows').querySelectorAll('input')) {
      if (field !== except) field.value = Number(this.rows[field.dataset.last][field.dataset.token].toFixed(4));
    }
  }

  // --- the search

  update() {
    const width = Number(this.part('width').value);
    this.steps = beamSearch(this.rows, width, this.maxTokens);
    this.at = Math.max(0, Math.min(this.at, this.steps.length - 1));
    this.all = exhaustive(this.rows, this.maxTokens);
    this.over = this.at === this.steps.length - 1;
    this.part('width-value').textContent = width;
    this.part('step-value').textContent = `Step ${this.at} of ${this.steps.length - 1}`;
    this.part('back').setAttribute('aria-disabled', this.at === 0);
    this.part('on').setAttribute('aria-disabled', this.over);
    this.part('best-key').hidden = !this.over;
    this.part('result').innerHTML = this.sentence();
    this.part('result').classList.toggle('calm', !this.part('result').textContent.includes('Search error'));
    this.part('tree').innerHTML = this.tree();
    this.part('table').innerHTML = this.table();
  }

  sentence() {
    const { beam, grown, calls } = this.steps[this.at];
    if (this.at === 0) return 'The beam holds the empty text, probability 1. Press <b>Step</b>: one model call for each text under way.';
    const pruned = grown.length - beam.length;
    const compared = `${many(grown.length, 'text')} compared, ${beam.length} kept, ${pruned} pruned; <b>${many(calls, 'model call')}</b> so far.`;
    return this.over ? `${compared} ${this.verdict(beam[0])}` : compared;
  }

  verdict(won) {
    const { best, count, calls } = this.all;
    const seen = `Exhaustive search compares ${many(count, 'sentence')} in ${many(calls, 'call')}.`;
    const name = (text) => `“${this.text(text.tokens)}” with ${chance(text.prob)}`;
    if (!best) return `No sentence ends within ${this.maxTokens} tokens.`;
    if (!won.finished) return `The length limit cuts the beam's best text, ${name(won)}; the best sentence is <b>${name(best)}</b>. ${seen}`;
    if (won.score < best.score - 1e-12) return `<b>Search error:</b> the beam found ${name(won)}, the best is <b>${name(best)}</b>. ${seen}`;
    return `No search error: the beam found the best sentence, <b>${name(best)}</b>. ${seen}`;
  }

  table() {
    const row = (name, text, state) => `<tr><th scope="row">${name}</th><td class="text">${this.text(text.tokens)}</td>
      <td>${chance(text.prob)}</td><td>${score(text.score)}</td><td class="text">${state}</td></tr>`;
    const state = (text) => (text.finished ? 'finished' : this.over ? 'cut by the limit' : 'under way');
    const body = this.steps[this.at].beam.map((text, i) => row(i + 1, text, state(text)));
    if (this.over && this.all.best) body.push(row('best', this.all.best, 'best of all'));
    return `<thead><tr><th scope="col">beam</th><th scope="col" class="text">text</th><th scope="col">probability</th>
      <th scope="col">log (nats)</th><th scope="col" class="text">state</th></tr></thead><tbody>${body.join('')}</tbody>`;
  }

  // --- the tree: leaves one below the other, a parent amid its children

  nodes() {
    const [root] = this.steps[0].beam;
    const texts = [root, ...new Set(this.steps.slice(1, this.at + 1).flatMap((step) => step.grown))];
    const below = new Map(texts.map((text) => [text, []]));
    for (const text of texts) if (text.parent) below.get(text.parent).push(text);
    const places = new Map();
    let leaves = 0;
    const place = (text) => {
      const ys = below.get(text).map(place);
      const y = ys.length ? ys.reduce((sum, one) => sum + one, 0) / ys.length : 34 * leaves++ + 20;
      places.set(text, { x: 10 + 128 * text.tokens.length, y });
      return y;
    };
    place(root);
    return { places, below, height: 34 * leaves + 8 };
  }

  kind(text, below) {
    if (this.steps[this.at].beam.includes(text)) return text.finished ? 'done' : 'kept';
    return below.get(text).length ? 'expanded' : 'pruned';
  }

  tree() {
    const { places, below, height } = this.nodes();
    const onWay = new Set();
    for (let text of this.steps[this.at].beam) for (; text; text = text.parent) onWay.add(text);
    const best = this.over && this.all.best ? this.all.best.tokens.join() : null;
    const marks = { kept: '●', done: '■', pruned: '×', expanded: '○' };
    const drawn = [...places].map(([text, { x, y }]) => {
      const kind = this.kind(text, below);
      const from = places.get(text.parent);
      const towards = best !== null && `${best},`.startsWith(`${text.tokens.join()},`);
      const stroke = `link ${towards ? 'best' : ''} ${onWay.has(text) ? 'kept' : ''}`;
      const bend = from && (from.x + 84 + x) / 2;
      const link = from ? `<path class="${stroke}" d="M${from.x + 84} ${from.y}C${bend} ${from.y} ${bend} ${y} ${x - 4} ${y}"/>` : '';
      const word = text.parent ? this.word(text.tokens.at(-1)) : 'start';
      const step = text.last ? `<tspan class="sub"> ${chance(text.last)}</tspan>` : '';
      return `<g class="${kind}">${link}<text class="mark" x="${x}" y="${y + 4}">${marks[kind]}</text>
        <text x="${x + 13}" y="${y - 1}"><tspan class="node">${word}</tspan>${step}</text>
        <text x="${x + 13}" y="${y + 12}" class="sub number">${chance(text.prob)} (${score(text.score)})</text></g>`;
    });
    return `<svg viewBox="0 0 ${130 * (this.maxTokens + 1)} ${height}" aria-hidden="true">${drawn.join('')}</svg>`;
  }
}

define(Beam);
