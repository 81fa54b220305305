// A few lines beside the pointer; what can be read there is in the panel, too, so screen readers do without it.
import { make } from './dom.js';
import { count, hex, plural, sizeText } from './format.js';
import { duration, tensorName, textOf } from './document.js';
import { waitTitle } from './waits.js';

export function tooltipOf(box, pane, hit, at) {
  box.hidden = !hit;
  if (!hit) return;
  const lines = hit.kind === 'operation' ? operationLines(pane.schedule, hit.id) : tensorLines(pane.schedule, hit.id);
  box.replaceChildren(...lines);
  const frame = pane.canvas.getBoundingClientRect();
  const left = Math.min(frame.left + at.x + 14, innerWidth - box.offsetWidth - 8);
  const below = frame.top + at.y + 18;
  const top = below + box.offsetHeight > innerHeight - 8 ? frame.top + at.y - box.offsetHeight - 10 : below;
  box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}

function operationLines(schedule, id) {
  const operation = schedule.operations[id];
  const wait = operation.waits[0];
  const source = textOf(schedule, operation.source).trim();
  return [
    make('p', {}, make('b', {}, `#${id} ${operation.method}`), operation.line > 0 && make('span', { class: 'muted' }, ` line ${operation.line}`)),
    source && make('code', {}, source.slice(0, 160)),
    make('p', {}, `${count(duration(operation))} cycles, ${count(operation.begin)} to ${count(operation.end)}`),
    operation.bound && make('p', { class: 'muted' }, `bound by ${operation.bound}`),
    stageLine(operation),
    wait && make('p', { class: 'muted' }, wait.operation >= 0 ? `waited for #${wait.operation} ${schedule.operations[wait.operation].method} (${waitTitle(wait)})` : `waited: ${waitTitle(wait)}`),
  ].filter(Boolean);
}

// The stages of its longest command.
function stageLine(operation) {
  const command = operation.commands.reduce((most, one) => (most && most.cycles >= one.cycles ? most : one), null);
  if (!command || command.parts.length === 0) return null;
  return make('p', {}, command.parts.map((part, i) => [i > 0 && ' \u00b7 ',
    make(part.part === command.bound ? 'b' : 'span', {}, `${part.part} ${count(part.busy)}`)]));
}

function tensorLines(schedule, id) {
  const tensor = schedule.tensors[id];
  return [
    make('p', {}, make('b', {}, tensorName(schedule, id)), make('span', { class: 'muted' }, ` ${tensor.type ?? ''} in ${tensor.memory}`)),
    make('code', {}, textOf(schedule, tensor.mapping).slice(0, 160)),
    make('p', {}, `${hex(tensor.address)}, ${sizeText(tensor.bytes)}`),
    make('p', { class: 'muted' }, `alive ${count(tensor.from)} to ${count(tensor.to)}, ${plural(tensor.readers.length, 'reader')}`),
  ];
}
