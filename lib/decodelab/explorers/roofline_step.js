// What a decoding step costs; decodelab/roofline.py is its Python twin. Units as there: bytes, FLOP, seconds.

const BYTES = { float32: 4, bfloat16: 2, float16: 2, float8: 1, int8: 1, int4: 0.5 };
// The cache is kept in 16 bits.
const BYTES_KV = 2;

const distinctExperts = (experts, chosen, tokens) => experts * (1 - (1 - chosen / experts) ** tokens);

// All weights, or those that a step over `tokens` tokens reads.
function bytesWeights(model, dtype, tokens) {
  const shared = model.parameters - model.expert_parameters;
  const read = tokens === undefined ? 1 : distinctExperts(model.experts, model.chosen, tokens) / model.experts;
  return (shared + model.expert_parameters * read) * BYTES[dtype];
}

const bytesKvToken = (model) => model.layers * (model.latent || 2 * model.kv_heads * model.head_dim) * BYTES_KV;

function flopsStep(model, { batch, fresh, context }) {
  const tokens = batch * fresh;
  const attention = 4 * model.layers * model.heads * model.head_dim * (context + fresh / 2) * tokens;
  return 2 * model.active * tokens + (context ? attention : 0);
}

// Float32 weights are multiplied in float32; all others in 16 bits, where the device has a peak for them.
const arithmeticOf = (device, dtype) => (dtype === 'float32' ? [dtype] : ['bfloat16', 'float16', 'float32'])
  .find((kind) => kind in device.peaks);

// A forward over `fresh` tokens of each of `batch` texts that hold `context` tokens.
function costOfStep(device, model, dtype, sizes) {
  const arithmetic = arithmeticOf(device, dtype);
  const peak = device.peaks[arithmetic];
  const weights = bytesWeights(model, dtype, sizes.batch * sizes.fresh);
  const cache = sizes.batch * sizes.context * bytesKvToken(model);
  const [bytes, flops] = [weights + cache, flopsStep(model, sizes)];
  const [reading, computing] = [bytes / device.bandwidth, flops / peak];
  return {
    arithmetic, peak, weights, cache, bytes, flops, reading, computing,
    intensity: flops / bytes,
    ridge: peak / device.bandwidth,
    seconds: Math.max(reading, computing),
    memory: bytesWeights(model, dtype) + cache,
  };
}

const verificationCost = (device, model, dtype, { batch, context }, gamma) => costOfStep(device, model, dtype, { batch, context, fresh: gamma + 1 }).seconds
  / costOfStep(device, model, dtype, { batch, context, fresh: 1 }).seconds;
