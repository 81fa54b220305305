// Finds operations and tensors by method, name, line and text.
import { textOf, fileOf } from './document.js';

// "41", ":41", "line 41", "gemm.rs:41": a line; anything else: words, all of which must occur.
export function parseQuery(query) {
  const words = query.trim().toLowerCase();
  if (!words) return null;
  const line = /^(?:line\s*|(\S*):)?(\d+)$/.exec(words);
  const number = /^#(\d+)$/.exec(words);
  if (number) return { operation: Number(number[1]) };
  return { words: words.split(/\s+/), line: line ? Number(line[2]) : -1, file: line?.[1] ?? '' };
}

// Long texts are shared between operations: each is searched once.
function textMarks(texts, word) {
  return texts.map(text => text.toLowerCase().includes(word));
}

function operationWords(schedule, operation) {
  return [operation.method, operation.context, operation.bound ?? ''].join(' ').toLowerCase();
}

// A word is in an operation: its method, context, bound, source line, or the name of a tensor that it touches.
function wordMarks(schedule, word) {
  const texts = textMarks(schedule.texts, word);
  const names = schedule.tensors.map(tensor => tensor.name.toLowerCase().includes(word));
  const kinds = new Map();
  const inKind = operation => {
    const key = `${operation.method} ${operation.context} ${operation.bound}`;
    if (!kinds.has(key)) kinds.set(key, operationWords(schedule, operation).includes(word));
    return kinds.get(key);
  };
  const hit = operation =>
    inKind(operation) || (operation.source >= 0 && texts[operation.source]) ||
    operation.reads.some(id => names[id]) || (operation.writes >= 0 && names[operation.writes]);
  const tensor = (_, i) => names[i] || (schedule.tensors[i].mapping >= 0 && texts[schedule.tensors[i].mapping]);
  return { operations: schedule.operations.map(hit), tensors: schedule.tensors.map(tensor) };
}

const onLine = (schedule, thing, query) =>
  thing.line === query.line && fileOf(schedule, thing).toLowerCase().endsWith(query.file);

function combine(schedule, query) {
  const sets = query.words.map(word => wordMarks(schedule, word));
  const every = (kind, i) => sets.every(set => set[kind][i]);
  const mark = (kind, list) => Uint8Array.from(list, (thing, i) =>
    (query.line >= 0 ? onLine(schedule, thing, query) : every(kind, i)) ? 1 : 0);
  return { operations: mark('operations', schedule.operations), tensors: mark('tensors', schedule.tensors) };
}

// { operations, tensors: marks; list: numbers of the operations, by begin }; null: nothing is searched.
export function search(schedule, text) {
  const query = parseQuery(text);
  if (!query) return null;
  const found = query.operation === undefined ? combine(schedule, query) : {
    operations: Uint8Array.from(schedule.operations, (_, i) => (i === query.operation ? 1 : 0)),
    tensors: new Uint8Array(schedule.tensors.length),
  };
  found.list = schedule.order.filter(id => found.operations[id]);
  found.tensorCount = found.tensors.reduce((sum, mark) => sum + mark, 0);
  return found;
}

// What an operation is, in a line for screen readers.
export function describeOperation(schedule, id) {
  const operation = schedule.operations[id];
  const place = operation.line > 0 ? `, line ${operation.line}` : '';
  const wait = operation.waits[0];
  const held = wait && wait.operation >= 0 ? `, waited for operation ${wait.operation}` : '';
  const source = textOf(schedule, operation.source).trim();
  return `Operation ${id}, ${operation.method} on ${operation.context || 'no context'}${place}, cycles ${operation.begin} to ` +
    `${operation.end}, bound by ${operation.bound || 'nothing known'}${held}${operation.critical ? ', critical' : ''}. ${source}`;
}
