// The rewind arithmetic of two caches; rewind_rows.py is its Python twin.

function cacheRows(before, read, cut, committed) {
  const after = before + read - cut;
  return { before, read, most: before + read, cut, after, left: committed - after };
}

// One round: gamma tokens drafted, the first `accepted` kept, one token added that nobody has read.
function rewind(held, gamma, accepted, behind) {
  const committed = held + accepted + 2;
  return {
    committed,
    target: cacheRows(held, gamma + 1, gamma - accepted, committed),
    draft: cacheRows(held - behind, gamma + behind, Math.max(gamma - accepted - 1, 0), committed),
  };
}

// Where the next round begins.
function following(held, gamma, accepted, behind) {
  const { target, draft } = rewind(held, gamma, accepted, behind);
  return { held: target.after, behind: target.after - draft.after };
}

// What stands at each position of a cache, phase by phase: held, read in this round, to be cut, to be read.
// 0 start, 1 drafted, 2 verified, 3 decided, 4 rewound; `reads` is the phase in which this cache reads.
function cacheMarks(rows, committed, { phase, reads, size }) {
  const place = (i) => {
    if (phase < reads) return i < rows.before ? 'held' : i < committed.before ? 'left' : '';
    if (phase === 4) return i < rows.after ? 'held' : i < committed.after ? 'left' : '';
    if (i >= rows.most) return '';
    return phase === 3 && i >= rows.after ? 'cut' : i < rows.before ? 'held' : 'read';
  };
  return Array.from({ length: size }, (_, i) => place(i));
}
