// "The rewind tape": a round of speculative decoding in the caches of target and draft, step by step.

const MARKUP = `
<section class="card" role="group" aria-label="The rewind tape">
  <div class="controls">
    <div class="control"><label for="gamma">Drafted tokens γ</label><span class="value" id="gamma-value"></span>
      <input id="gamma" type="range" min="1" max="8" step="1"></div>
    <div class="control"><label for="accepted">Accepted of them, a</label><span class="value" id="accepted-value"></span>
      <input id="accepted" type="range" min="0" step="1"></div>
  </div>
  <p class="bar"><button type="button" id="back">◀ Back</button><button type="button" id="on">Step ▶</button>
    <button type="button" id="round">Whole round ▶▶</button><button type="button" id="reset">Start again</button>
    <span class="value" id="step-value"></span></p>
  <p class="result" id="result" role="status" aria-live="polite"></p>
  <ul class="legend"><li style="--swatch:var(--target)">■ row held</li><li style="--swatch:var(--law)">+ read in this round</li>
    <li style="--swatch:var(--wrong)">× row to cut</li><li style="--swatch:var(--draft)">○ committed, still to read</li></ul>
  <div id="tape" aria-hidden="true"></div>
  <div class="scroll" tabindex="0" role="region" aria-label="Rows of both caches"><table id="table"></table></div>
</section>`;

// Rows before the round that the tape still shows.
const SHOWN = 3;
const GLYPHS = { held: '■', read: '+', cut: '×', left: '○', '': '' };
const PHASES = ['before the round', 'drafting', 'verifying', 'deciding', 'rewinding'];
const many = (n, one) => `${n} ${one}${n === 1 ? '' : 's'}`;
const drafts = (from, to) => (from > to ? 'no draft' : from === to ? `d${from}` : `d${from}${to - from > 1 ? '…' : ', '}d${to}`);

const SAYS = [
  ({ held, behind }) => `${held + 1} tokens are committed, the start token's included. ${behind
    ? `The target's cache holds ${held} rows, the draft's ${held - behind}`
    : `Both caches hold ${held} rows`}: the last token is <b>pending</b>, nobody has read it.`,
  ({ gamma, behind, draft }) => `The draft model reads ${behind ? 'the token it has missed, ' : ''}the pending token${gamma > 1
    ? ` and ${drafts(1, gamma - 1)}` : ''}, in ${many(gamma, 'forward')}: <b>${many(draft.read, 'row')} more, ${draft.most} in all</b>. It has drawn ${drafts(1, gamma)}; d${gamma} itself it does not read.`,
  ({ gamma, target }) => `One forward of the target over γ + 1 = ${gamma + 1} positions, the pending token and ${drafts(1, gamma)}: <b>${target.read} rows more, ${target.most} in all</b>, and a law after each.`,
  ({ gamma, accepted }) => (accepted === gamma
    ? `All of ${drafts(1, gamma)} accepted: the target's last law gives one more token, the <b>bonus</b>. It is the new pending token; nobody has read it.`
    : `${accepted ? `${drafts(1, accepted)} accepted, ` : ''}d${accepted + 1} rejected${accepted + 1 < gamma ? ` and ${drafts(accepted + 2, gamma)} dropped with it` : ''}: the token <b>resampled</b> in its place is the new pending one; nobody has read it.`),
  ({ gamma, accepted, committed, target, draft }) => `Target: γ − a = <b>${target.cut}</b> cut, ${target.after} left. Draft: γ − a − 1 = <b>${gamma - accepted - 1 < 0
    ? `−1</b>: none to cut and one missing, ${draft.after} left; d${gamma} is still to be read` : `${draft.cut}</b> cut, ${draft.after} left`}. ${committed} tokens are committed: ${draft.left === 1
    ? 'both caches are one short.' : 'the target is one short, the draft two.'}`,
];

class Rewind extends LiveFigure {
  markup() {
    return MARKUP;
  }

  start(given) {
    this.given = given;
    const turns = { back: this.back, on: this.on, round: this.round, reset: this.restore };
    for (const [name, turn] of Object.entries(turns)) {
      this.part(name).addEventListener('click', () => {
        turn.call(this);
        this.update();
      });
    }
    this.restore();
  }

  restore() {
    this.past = []; // gamma and accepted of the rounds played
    this.phase = this.given.step;
    this.choose(this.given);
  }

  choose({ gamma, accepted }) {
    this.part('gamma').value = gamma;
    this.part('accepted').max = gamma; // before its value, which it limits
    this.part('accepted').value = accepted;
  }

  chosen() {
    const number = (name) => Number(this.part(name).value);
    return { gamma: number('gamma'), accepted: number('accepted') };
  }

  next() {
    if (this.phase < 4) return;
    this.past.push(this.chosen());
    this.phase = 0;
  }

  on() {
    this.next();
    this.phase += 1;
  }

  round() {
    this.next();
    this.phase = 4;
  }

  back() {
    if (this.phase > 1 || !this.past.length) this.phase = Math.max(this.phase - 1, 0);
    else {
      this.choose(this.past.pop());
      this.phase = 4;
    }
  }

  state() {
    let now = { held: this.given.held, behind: 0 };
    for (const { gamma, accepted } of this.past) now = following(now.held, gamma, accepted, now.behind);
    const { gamma, accepted } = this.chosen();
    return { ...now, gamma, accepted, phase: this.phase, ...rewind(now.held, gamma, accepted, now.behind) };
  }

  update() {
    this.part('accepted').max = this.part('gamma').value;
    const s = this.state();
    for (const name of ['gamma', 'accepted']) {
      this.part(`${name}-value`).textContent = s[name];
      this.part(name).setAttribute('aria-valuetext', name === 'gamma' ? s.gamma : `${s.accepted} of ${s.gamma}`);
    }
    this.part('back').setAttribute('aria-disabled', !this.past.length && s.phase === 0);
    this.part('step-value').textContent = `Round ${this.past.length + 1}: ${PHASES[s.phase]}`;
    this.part('result').innerHTML = SAYS[s.phase](s);
    this.part('result').classList.toggle('calm', s.phase !== 3 || s.accepted === s.gamma);
    this.part('tape').innerHTML = this.tape(s);
    this.part('table').innerHTML = this.table(s);
  }

  // --- the tape: one column a position, the same in every track

  tape(s) {
    const size = s.held + s.gamma + 2;
    const committed = { before: s.held + 1, after: s.committed };
    const marks = (rows, reads) => cacheMarks(rows, committed, { phase: s.phase, reads, size })
      .map((kind) => ({ kind, text: GLYPHS[kind] }));
    const rowsNow = (rows, reads) => many(s.phase < reads ? rows.before : s.phase < 4 ? rows.most : rows.after, 'row');
    const tracks = [
      this.track('Text', many(s.phase < 3 ? s.held + 1 : s.committed, 'token'), this.text(s, size)),
      this.track('Drafts', s.phase < 1 ? '' : many(s.gamma, 'token'), this.drafted(s, size)),
      this.track("Target's cache", rowsNow(s.target, 2), marks(s.target, 2)),
      this.track("Draft's cache", rowsNow(s.draft, 1), marks(s.draft, 1)),
    ];
    return tracks.join('');
  }

  text({ held, phase, committed }, size) {
    const length = phase < 3 ? held + 1 : committed;
    return Array.from({ length: size }, (_, i) => {
      if (i >= length) return { kind: '', text: '' };
      return { kind: i === length - 1 ? 'left' : 'word', text: i };
    });
  }

  drafted({ held, gamma, accepted, phase }, size) {
    return Array.from({ length: size }, (_, i) => {
      const n = i - held;
      if (phase < 1 || n < 1 || n > gamma) return { kind: 'none', text: '' };
      return { kind: phase < 3 ? 'drawn' : n <= accepted ? 'read' : 'cut struck', text: `d${n}` };
    });
  }

  track(name, count, cells) {
    const first = Math.max(0, this.state().held - SHOWN);
    const shown = cells.slice(first).map(({ kind, text }) => `<span class="cell ${kind}">${text}</span>`);
    const earlier = first ? `<span class="cell none">${name === 'Drafts' ? '' : '…'}</span>` : '';
    return `<p class="name">${name} <span class="note">${count}</span></p><div class="cells"
      style="grid-template-columns:repeat(${shown.length + (first ? 1 : 0)},1fr)">${earlier}${shown.join('')}</div>`;
  }

  table({ phase, target, draft }) {
    const known = { before: 0, read: null, most: null, cut: 3, after: 4, left: 4 };
    const row = (name, rows, reads) => `<tr><th scope="row">${name}</th>${Object.entries(known)
      .map(([key, from]) => `<td>${phase >= (from ?? reads) ? rows[key] : '·'}</td>`).join('')}</tr>`;
    const heads = ['cache of the', 'rows before', 'read', 'at most', 'to cut', 'after', 'still to read'];
    return `<thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>
      <tbody>${row('target', target, 2)}${row('draft', draft, 1)}</tbody>`;
  }
}

define(Rewind);
