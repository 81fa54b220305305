// Why an operation waited, in words.
import { hex, count } from './format.js';

const REASONS = {
  raw: 'reads what it writes',
  war: 'writes over what it reads',
  waw: 'writes over what it writes',
  lane: 'needs what it occupies',
  bank: 'DMA stands aside while it keeps a bank of DM to itself',
  switch: 'stands still while it writes the topology of the switch',
  sync: 'reads again from HBM what it stored',
  start: 'the start of the kernel',
  fifo: 'DMA commands of a cluster end in order',
  pinned: 'is pinned in front of it by --order',
};

const TITLES = {
  raw: 'read after write', war: 'write after read', waw: 'write after write', lane: 'resource', bank: 'bank', switch: 'switch',
  sync: 'synchronisation', start: 'start', fifo: 'FIFO', pinned: 'pinned',
};

export const waitTitle = wait => TITLES[wait.kind] ?? wait.kind;

export function waitReason(schedule, wait) {
  const reason = REASONS[wait.kind] ?? wait.kind;
  const lane = schedule.lanes[wait.lane];
  if (lane) return `${reason}: ${lane.name}`;
  if (wait.memory && wait.to > wait.from) return `${reason}: ${wait.memory} ${hex(wait.from)} to ${hex(wait.to)}, ${count(wait.to - wait.from)} bytes`;
  return reason;
}
