// The controls of a strategy (temperature, truncations, their order), for the figures that reshape rows.

const strategyControls = (unit) => `
    <div class="control"><label for="T">Temperature T</label><span class="value" id="T-value"></span>
      <input id="T" type="range" min="0" max="2" step="0.05"></div>
    <div class="control"><label for="k">Top-k: at most k ${unit}</label><span class="value" id="k-value"></span>
      <input id="k" type="range" min="1" step="1"></div>
    <div class="control"><label for="mass">Top-p: mass to reach</label><span class="value" id="mass-value"></span>
      <input id="mass" type="range" min="0" max="1" step="0.01"></div>
    <div class="control"><label for="ratio">Min-p: part of the largest</label><span class="value" id="ratio-value"></span>
      <input id="ratio" type="range" min="0" max="1" step="0.01"></div>
    <div class="control"><label for="first">Which comes first</label>
      <select id="first"><option value="temperature">temperature, then truncation</option>
        <option value="truncation">truncation, then temperature</option></select></div>`;

function setStrategy(figure, strategy) {
  for (const [name, value] of Object.entries(strategy)) figure.part(name).value = value;
}

function readStrategy(figure) {
  const number = (name) => Number(figure.part(name).value);
  return { T: number('T'), k: number('k'), mass: number('mass'), ratio: number('ratio'), first: figure.part('first').value };
}

function writeStrategy(figure, strategy, most) {
  const off = { k: most, mass: 1, ratio: 0 };
  for (const name of ['T', 'k', 'mass', 'ratio']) {
    const text = strategy[name] === off[name] ? 'off' : trimmed(strategy[name], 2);
    figure.part(`${name}-value`).textContent = text;
    figure.part(name).setAttribute('aria-valuetext', text);
  }
}
