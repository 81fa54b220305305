// Why an operation waited, in words.
import { hex, count } from './format.js';

const REASONS = {
  raw: who => `reads what ${who} writes`,
  war: who => `writes over what ${who} reads`,
  waw: who => `writes over what ${who} writes`,
  lane: who => `needs what ${who} occupies`,
  bank: who => `${who} keeps a bank of DM to itself, and DMA stands aside`,
  switch: who => `${who} writes the topology of the switch, and DMA and sub stand still`,
  sync: who => `reads again from HBM what ${who} stored`,
  start: () => 'the start of the kernel',
  fifo: who => `DMA commands of a cluster end in order, and ${who} comes first`,
  pinned: who => `--order pins ${who} in front of it`,
};

const TITLES = {
  raw: 'read after write', war: 'write after read', waw: 'write after write', lane: 'resource', bank: 'bank', switch: 'switch',
  sync: 'synchronisation', start: 'start', fifo: 'FIFO', pinned: 'pinned',
};

export const waitTitle = wait => TITLES[wait.kind] ?? wait.kind;

export function waitReason(schedule, wait) {
  const who = wait.operation >= 0 ? `#${wait.operation}` : 'another';
  const reason = REASONS[wait.kind]?.(who) ?? wait.kind;
  const lane = schedule.lanes[wait.lane];
  if (lane) return `${reason}: ${lane.name}`;
  if (wait.memory && wait.to > wait.from) return `${reason}: ${wait.memory} ${hex(wait.from)} to ${hex(wait.to)}, ${count(wait.to - wait.from)} bytes`;
  return reason;
}
