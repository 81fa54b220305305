// Two schedules, line by line of their source. The second may come from a changed program: lines that moved are found again by
// their text, with the longest common subsequence of both files.
import { textOf, fileOf, duration } from './document.js';
import { baseName, count } from './format.js';

const MOST_CELLS = 4e6; // of the table of common lines; above it lines are matched by number

// Cycles of the kernel that go to an operation of the critical path, up to the begin of the next one: `own`, by operation. What lies
// between operations of it is in `gaps`: {kind, id, cycles}, where `id` is the operation that stood still; -1: the end of the kernel.
export function pathCycles(schedule) {
  const { operations } = schedule;
  const path = operations.flatMap((operation, id) => (operation.critical ? [id] : []))
    .sort((a, b) => operations[a].begin - operations[b].begin || operations[a].end - operations[b].end || a - b);
  const own = new Float64Array(operations.length);
  const gaps = [];
  let at = 0;
  path.forEach((id, i) => {
    const { begin, end, waits } = operations[id];
    if (begin !== at) gaps.push({ kind: waits?.[0]?.kind ?? 'wait', id, cycles: begin - at });
    at = Math.min(end, i + 1 < path.length ? operations[path[i + 1]].begin : end);
    own[id] = at - begin;
  });
  if (schedule.doc.cycles !== at) gaps.push({ kind: 'end', id: -1, cycles: schedule.doc.cycles - at });
  return { own, gaps };
}

// Source lines with what happens on them, by file and number.
export function linesOf(schedule) {
  const lines = new Map();
  const { own } = pathCycles(schedule);
  schedule.operations.forEach((operation, id) => {
    const file = baseName(fileOf(schedule, operation));
    const key = operation.line > 0 ? `${file}:${operation.line}` : `:${operation.method}`;
    let line = lines.get(key);
    if (!line) {
      line = { key, file, line: operation.line, text: textOf(schedule, operation.source).trim() || operation.method, operations: [], cycles: 0, critical: 0 };
      lines.set(key, line);
    }
    line.operations.push(id);
    line.cycles += duration(operation);
    line.critical += own[id];
  });
  return [...lines.values()].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
}

const PHASES = { start: 'start of the kernel', end: 'end of the kernel', sync: 'synchronisation in front of ' };

// What cycles go to besides operations, as lines without any: `waiting` is an operation that stood still; -1: none.
function phasesOf(schedule) {
  const phases = new Map();
  for (const { kind, id, cycles } of pathCycles(schedule).gaps) {
    const operation = kind === 'start' || id < 0 ? null : schedule.operations[id];
    const before = operation ? textOf(schedule, operation.source).trim() || operation.method : '';
    const text = `${PHASES[kind] ?? 'wait in front of '}${before}`;
    const phase = phases.get(text) ?? { key: text, file: '', line: 0, text, operations: [], waiting: operation ? id : -1, cycles: 0, critical: 0 };
    phase.critical += cycles;
    phases.set(text, phase);
  }
  return phases;
}

function phaseRows(first, second) {
  const [a, b] = [phasesOf(first), phasesOf(second)];
  return [...new Set([...a.keys(), ...b.keys()])].map(key => {
    const row = { a: a.get(key) ?? null, b: b.get(key) ?? null, why: '' };
    return { ...row, change: (row.b?.critical ?? 0) - (row.a?.critical ?? 0) };
  });
}

// Pairs [i, j] of a longest common subsequence by `text`.
export function commonLines(a, b) {
  const width = b.length + 1;
  const length = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      length[i * width + j] = a[i].text === b[j].text
        ? length[(i + 1) * width + j + 1] + 1
        : Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
  const pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i].text === b[j].text) pairs.push([i++, j++]);
    else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) i++;
    else j++;
  }
  return pairs;
}

// What is left on both sides and has the same place, or else the same text somewhere else.
function matchRest(a, b, partner, taken) {
  const keys = [line => line.key, line => line.text];
  for (const key of keys) {
    const open = new Map();
    b.forEach((line, j) => { if (!taken[j] && !open.has(key(line))) open.set(key(line), j); });
    a.forEach((line, i) => {
      const j = open.get(key(line));
      if (partner[i] >= 0 || j === undefined || taken[j]) return;
      partner[i] = j;
      taken[j] = 1;
    });
  }
}

function mostBound(schedule, line) {
  if (!line) return '';
  const sums = new Map();
  for (const id of line.operations) {
    const operation = schedule.operations[id];
    sums.set(operation.bound ?? '', (sums.get(operation.bound ?? '') ?? 0) + duration(operation));
  }
  return [...sums].sort((x, y) => y[1] - x[1])[0][0];
}

// Rows {a, b, change, why}: a line of the first, of the second, or null; cycles that the critical path of the second spends more
// on it. Every cycle of a kernel is in one row: all changes together are what the kernel gained or lost.
export function compareSchedules(first, second) {
  const a = linesOf(first);
  const b = linesOf(second);
  const partner = new Int32Array(a.length).fill(-1);
  const taken = new Uint8Array(b.length);
  if (a.length * b.length <= MOST_CELLS)
    for (const [i, j] of commonLines(a, b)) {
      partner[i] = j;
      taken[j] = 1;
    }
  matchRest(a, b, partner, taken);
  const rows = a.map((line, i) => ({ a: line, b: partner[i] >= 0 ? b[partner[i]] : null }));
  b.forEach((line, j) => { if (!taken[j]) rows.push({ a: null, b: line }); });
  for (const row of rows) {
    row.change = (row.b?.critical ?? 0) - (row.a?.critical ?? 0);
    row.why = whyChanged(row, mostBound(first, row.a), mostBound(second, row.b));
  }
  return [...rows, ...phaseRows(first, second)];
}

function whyChanged(row, before, after) {
  if (!row.a) return 'only in the second';
  if (!row.b) return 'only in the first';
  const reasons = [];
  const longer = row.b.cycles - row.a.cycles;
  if (longer === 0 && row.change !== 0) reasons.push(`takes as long, but ${count(beside(row.b))} cycles run beside others, were ${count(beside(row.a))}`);
  else if (longer !== row.change) reasons.push(`takes ${count(row.b.cycles)} cycles in all, took ${count(row.a.cycles)}`);
  if (row.a.operations.length !== row.b.operations.length)
    reasons.push(`${row.a.operations.length} \u2192 ${row.b.operations.length} operations`);
  if (before !== after) reasons.push(`bound by ${before || '?'} \u2192 ${after || '?'}`);
  if (row.a.critical > 0 !== row.b.critical > 0)
    reasons.push(row.b.critical > 0 ? 'now on the critical path' : 'off the critical path');
  return reasons.join('; ');
}

// Cycles of a line that others hide.
const beside = line => line.cycles - line.critical;

// For each operation of both schedules its row: sides[0][id], sides[1][id].
export function rowsOfOperations(rows, first, second) {
  const sides = [new Int32Array(first.operations.length).fill(-1), new Int32Array(second.operations.length).fill(-1)];
  rows.forEach((row, r) => {
    for (const id of row.a?.operations ?? []) sides[0][id] = r;
    for (const id of row.b?.operations ?? []) sides[1][id] = r;
  });
  return sides;
}

// The operation of the other schedule that corresponds: the same line, and the same turn of it. -1: none.
export function twinOf(row, side, id) {
  const mine = (side === 0 ? row.a : row.b)?.operations ?? [];
  const other = (side === 0 ? row.b : row.a)?.operations ?? [];
  if (other.length === 0) return -1;
  return other[Math.min(Math.max(mine.indexOf(id), 0), other.length - 1)];
}
