// From cycles and addresses to pixels.

// Round numbers that cut [from, to] into about `wanted` pieces: 1, 2 or 5 times a power of ten.
export function ticks(from, to, wanted) {
  const rough = Math.max((to - from) / Math.max(wanted, 1), 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find(factor => factor * power >= rough * 0.999) * power;
  const out = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) out.push(at);
  return { step, at: out };
}

// A window of cycles. It never leaves [0, cycles] by more than a margin, never shows less than MIN_CYCLES.
const MIN_CYCLES = 8;

export function fitWindow(cycles) {
  const margin = Math.max(cycles * 0.01, 0.5);
  return { from: -margin, to: Math.max(cycles, 1) + margin };
}

export function clampWindow(view, cycles) {
  const all = fitWindow(cycles);
  const span = Math.min(Math.max(view.to - view.from, MIN_CYCLES), all.to - all.from);
  const from = Math.min(Math.max(view.from, all.from), all.to - span);
  return { from, to: from + span };
}

export function zoomWindow(view, factor, at, cycles) {
  const span = Math.min(Math.max((view.to - view.from) * factor, MIN_CYCLES), cycles * 1.05 + 1);
  const share = (at - view.from) / (view.to - view.from);
  return clampWindow({ from: at - span * share, to: at + span * (1 - share) }, cycles);
}

// Addresses in a lane of memory. A tensor at 0 and another at 0x20000000 would leave two slivers in an empty lane, so long
// stretches that no tensor ever uses are cut down to a short break. `place` turns an address into a position in that
// shortened space, `address` turns it back.
const LONG_GAP = 0.12; // of all that is used
const SHORT_GAP = 0.03;

function usedRanges(ranges) {
  const sorted = ranges.filter(range => range.to > range.from).sort((a, b) => a.from - b.from);
  const out = [];
  for (const range of sorted) {
    const last = out[out.length - 1];
    if (last && range.from <= last.to) last.to = Math.max(last.to, range.to);
    else out.push({ ...range });
  }
  return out;
}

export class AddressScale {
  constructor(ranges) {
    const used = usedRanges(ranges);
    const total = used.reduce((sum, range) => sum + range.to - range.from, 0);
    this.pieces = [];
    this.breaks = [];
    let at = 0;
    for (const range of used) {
      const last = this.pieces[this.pieces.length - 1];
      const gap = last ? range.from - last.to : range.from;
      if (gap > LONG_GAP * total) {
        this.breaks.push({ at, size: SHORT_GAP * total, from: last ? last.to : 0, to: range.from });
        at += SHORT_GAP * total;
      } else if (gap > 0) {
        this.push(range.from - gap, range.from, at);
        at += gap;
      }
      this.push(range.from, range.to, at);
      at += range.to - range.from;
    }
    this.size = Math.max(at, 1);
  }

  // Neighbouring pieces become one, so that the search stays short.
  push(from, to, at) {
    const last = this.pieces[this.pieces.length - 1];
    if (last && last.to === from && last.at + (last.to - last.from) === at) last.to = to;
    else this.pieces.push({ from, to, at });
  }

  piece(key, value) {
    let low = 0;
    let high = this.pieces.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.pieces[middle][key] <= value) low = middle + 1;
      else high = middle;
    }
    return this.pieces[Math.max(low - 1, 0)];
  }

  place(address) {
    const piece = this.piece('from', address);
    if (!piece) return 0;
    return piece.at + Math.min(Math.max(address - piece.from, 0), piece.to - piece.from);
  }

  address(place) {
    const piece = this.piece('at', place);
    if (!piece) return 0;
    return piece.from + Math.min(Math.max(place - piece.at, 0), piece.to - piece.from);
  }
}
