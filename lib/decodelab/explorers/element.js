// What every live figure does: shadow root, theme, keys, fallback. Expects the constants TAG and CSS.

const WATCHED = ['data-theme', 'data-mode', 'data-jp-theme-light', 'theme', 'class', 'style'];
const systemDark = window.matchMedia('(prefers-color-scheme: dark)');

// The host page's keys (J and K in notebooks, arrows in slides) must not act while a control has focus;
// the reader's own shortcuts with Ctrl or Cmd still should.
function keepKey(event) {
  if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
}

// Read from the text's own colour: whatever theme variables the page sets, this is what they come to.
function isDark(element) {
  const channels = getComputedStyle(element).color.match(/^rgba?\((\d+)[, ]+(\d+)[, ]+(\d+)/);
  if (!channels) return systemDark.matches;
  const [red, green, blue] = channels.slice(1).map(Number);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140;
}

class LiveFigure extends HTMLElement {
  connectedCallback() {
    if (!this.shadowRoot) this.begin();
    this.observer = new MutationObserver(() => this.followTheme());
    for (const element of [document.documentElement, document.body]) {
      this.observer.observe(element, { attributes: true, attributeFilter: WATCHED });
    }
    this.onSystem = () => this.followTheme();
    systemDark.addEventListener('change', this.onSystem);
    this.followTheme();
  }

  disconnectedCallback() {
    this.observer.disconnect();
    systemDark.removeEventListener('change', this.onSystem);
  }

  begin() {
    const root = this.attachShadow({ mode: 'open' });
    try {
      root.innerHTML = `<style>${CSS}</style>${this.markup()}`;
      for (const type of ['keydown', 'keyup', 'keypress']) root.addEventListener(type, keepKey);
      root.addEventListener('input', () => this.update());
      this.start(JSON.parse(this.dataset.params));
      this.update();
    } catch (error) {
      root.innerHTML = '<slot></slot>'; // a broken figure still shows its static picture
      throw error;
    }
  }

  followTheme() {
    const card = this.shadowRoot.querySelector('.card');
    if (card) card.classList.toggle('dark', isDark(card));
  }

  part(name) {
    return this.shadowRoot.getElementById(name);
  }
}

function define(figure) {
  if (!customElements.get(TAG)) customElements.define(TAG, figure);
}

// --- numbers and drawings ---------------------------------------------------------------------------

const SUPERSCRIPT = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const powerOfTen = (k) => `10${k < 0 ? '⁻' : ''}${SUPERSCRIPT[Math.abs(k)]}`;
const decimals = (x, digits) => x.toFixed(digits).replace(/^0(?=\.)/, '');
const trimmed = (x, digits) => decimals(x, digits).replace(/\.?0+$/, '') || '0';
const grouped = (n) => n.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ',');

// A distance or a chance: 4 decimals, or 2 significant digits where those would say nothing.
function small(x) {
  if (Math.abs(x) < 1e-12) return '0';
  if (x >= 0.01) return trimmed(x, 4);
  if (x >= 1e-5) return decimals(x, 1 - Math.floor(Math.log10(x)));
  const power = Math.floor(Math.log10(x) + 1e-9);
  const lead = (x / 10 ** power).toFixed(1);
  return lead === '1.0' ? powerOfTen(power) : `${lead} · ${powerOfTen(power)}`;
}

const line = (x1, y1, x2, y2, kind) =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" class="${kind}"/>`;
const label = (x, y, text, kind = '') => `<text x="${x}" y="${y}" class="${kind}">${text}</text>`;
