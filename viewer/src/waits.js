// Why an operation waited, in words.
import { hex, count } from './format.js';
import { trfRows } from './document.js';

const REASONS = {
  raw: who => `reads what ${who} writes`,
  war: who => `writes over what ${who} reads`,
  waw: who => `writes over what ${who} writes`,
  lane: who => `needs what ${who} occupies`,
  bank: who => `${who} keeps a bank of DM to itself, and DMA stands aside`,
  switch: who => `${who} writes the topology of the switch, and DMA and sub stand still`,
  sync: who => `reads again from HBM what ${who} stored`,
  start: () => 'the start of the kernel',
  fifo: who => `DMA commands end in order, and ${who} comes first`,
  pinned: who => `--order pins ${who} in front of it`,
};

const TITLES = {
  raw: 'read after write', war: 'write after read', waw: 'write after write', lane: 'resource', bank: 'bank', switch: 'switch',
  sync: 'synchronisation', start: 'start', fifo: 'FIFO', pinned: 'pinned',
};

export const waitTitle = wait => TITLES[wait.kind] ?? wait.kind;

// An operation that needs several lanes waits on each: the waits for one culprit are told together, in their order.
export function mergeWaits(waits) {
  const merged = new Map();
  for (const wait of waits) {
    const key = `${wait.kind} ${wait.operation} ${wait.until} ${wait.memory ?? ''}`;
    if (merged.has(key)) merged.get(key).push(wait);
    else merged.set(key, [wait]);
  }
  return [...merged.values()];
}

// Of waits that were merged.
export function waitReason(schedule, waits) {
  const [wait] = waits;
  const who = wait.operation < 0 ? 'another' : wait.other >= 0 ? `#${wait.operation} with #${wait.other}` : `#${wait.operation}`;
  const reason = REASONS[wait.kind]?.(who) ?? wait.kind;
  const lanes = waits.map(one => schedule.lanes[one.lane]?.name).filter(Boolean);
  if (lanes.length > 0) return `${reason}: ${lanes.join(', ')}`;
  if (wait.memory && wait.to > wait.from) return `${reason}: ${placeText(schedule, wait)}`;
  return reason;
}

// Addresses as tensors have them. A document counts waits of TRF in one row, and tensors over all rows; of TRF a half counts as a whole.
function placeText(schedule, { memory, from, to, low = from, high = to }) {
  const rows = memory === 'TRF' ? trfRows(schedule) : 1;
  if (low < from || high > to) return `${memory} ${hex(low * rows)} to ${hex(high * rows)}, such as ${placeText(schedule, { memory, from, to }).slice(memory.length + 1)}`;
  return `${memory} ${hex(from * rows)} to ${hex(to * rows)}, ${count((to - from) * rows)} bytes${rows > 1 ? ` over ${rows} rows; a half counts as a whole` : ''}`;
}
