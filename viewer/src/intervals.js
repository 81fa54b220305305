// Intervals of cycles, sorted, so that what a window shows is found without looking at all the others.

const BLOCK = 64;

// Index of the first of `sorted` (from `low` on) that is not below `value`.
export function lowerBound(sorted, value, low = 0, high = sorted.length) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Half-open intervals [from, to) with the number of what they belong to, by `from`. They may overlap: every block of 64
// knows how far its members reach, so a query skips blocks that end before the window.
export class Intervals {
  constructor(entries) {
    const sorted = entries.slice().sort((a, b) => a.from - b.from || a.id - b.id);
    this.count = sorted.length;
    this.from = Float64Array.from(sorted, entry => entry.from);
    this.to = Float64Array.from(sorted, entry => entry.to);
    this.id = Int32Array.from(sorted, entry => entry.id);
    this.reach = new Float64Array(Math.ceil(this.count / BLOCK));
    for (let i = 0; i < this.count; i++) {
      const block = (i / BLOCK) | 0;
      this.reach[block] = Math.max(this.reach[block], this.to[i]);
    }
  }

  // Calls visit(i) for every interval that shares a cycle with [begin, end), in order. An empty interval lies where it begins.
  visit(begin, end, visit) {
    const { from, to, reach } = this;
    const last = lowerBound(from, end);
    for (let block = 0; block * BLOCK < last; block++) {
      if (reach[block] < begin) continue;
      const stop = Math.min(last, (block + 1) * BLOCK);
      for (let i = block * BLOCK; i < stop; i++) if (to[i] > begin || from[i] >= begin) visit(i);
    }
  }

  entry(i) {
    return { from: this.from[i], to: this.to[i], id: this.id[i] };
  }

  // Those of them whose number `keep` has marked.
  filter(keep) {
    const entries = [];
    for (let i = 0; i < this.count; i++) if (keep[this.id[i]]) entries.push(this.entry(i));
    return new this.constructor(entries);
  }
}

// Intervals that do not overlap: what one resource does. The cycles before each are summed up, so the share of any stretch
// that is busy takes two searches however many intervals lie in it.
export class Track extends Intervals {
  constructor(entries) {
    super(entries);
    this.before = new Float64Array(this.count + 1);
    for (let i = 0; i < this.count; i++)
      this.before[i + 1] = this.before[i] + (this.to[i] - this.from[i]);
  }

  // The last interval that begins at or before `cycle`; -1: none.
  lastAt(cycle) {
    const i = lowerBound(this.from, cycle);
    return i < this.count && this.from[i] === cycle ? i : i - 1;
  }

  // Number of intervals that [begin, end) shows.
  within(begin, end) {
    return lowerBound(this.from, end) - Math.max(0, this.lastAt(begin));
  }

  // Busy cycles before `cycle`; `i` is lastAt(cycle).
  busyBefore(cycle, i = this.lastAt(cycle)) {
    return i < 0 ? 0 : this.before[i] + Math.min(cycle, this.to[i]) - this.from[i];
  }

  busyBetween(begin, end) {
    return this.busyBefore(end) - this.busyBefore(begin);
  }

  // For `width` columns of `step` cycles from `begin` on: the share that is busy and an interval that lies in it (-1: none).
  columns(begin, step, width, share, witness) {
    let i = this.lastAt(begin);
    let busy = this.busyBefore(begin, i);
    for (let x = 0; x < width; x++) {
      const end = begin + (x + 1) * step;
      const next = this.gallop(Math.max(i, 0), end);
      const upTo = this.busyBefore(end, next);
      share[x] = (upTo - busy) / step;
      witness[x] = upTo > busy ? (next >= 0 && this.to[next] > end - step ? next : Math.max(i, 0)) : -1;
      i = next;
      busy = upTo;
    }
  }

  // lastAt(cycle), looking near `near` first: neighbouring columns mostly need one or two steps.
  gallop(near, cycle) {
    if (near >= this.count || this.from[near] > cycle) return near === 0 ? -1 : this.lastAt(cycle);
    let step = 1;
    while (near + step < this.count && this.from[near + step] <= cycle) {
      near += step;
      step *= 2;
    }
    const i = lowerBound(this.from, cycle, near, Math.min(this.count, near + step));
    return i < this.count && this.from[i] === cycle ? i : i - 1;
  }

  // The interval at `cycle`, or the nearest one whose edge is at most `reach` cycles away; -1: none.
  pick(cycle, reach) {
    const i = this.lastAt(cycle);
    if (i >= 0 && cycle < this.to[i]) return i;
    const left = i >= 0 ? cycle - this.to[i] : Infinity;
    const right = i + 1 < this.count ? this.from[i + 1] - cycle : Infinity;
    if (Math.min(left, right) > reach) return -1;
    return left <= right ? i : i + 1;
  }
}

// Spreads intervals over as few tracks as keep them apart, at most `limit`; the last one then takes, cut short, what is left.
export function packTracks(entries, limit) {
  const sorted = entries.slice().sort((a, b) => a.from - b.from || a.to - b.to);
  const rows = [];
  const free = [];
  for (const entry of sorted) {
    let row = free.findIndex(end => end <= entry.from);
    if (row < 0 && rows.length < limit) row = rows.push([]) - 1;
    if (row < 0) row = limit - 1;
    const from = Math.max(entry.from, free[row] ?? -Infinity);
    if (from >= entry.to && from > entry.from) continue;
    rows[row].push({ ...entry, from });
    free[row] = entry.to;
  }
  return rows.map(row => new Track(row));
}
