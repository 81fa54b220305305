// Finds operations and tensors by method, name, line and text.
import { textOf, fileOf } from './document.js';

// Words, all of which must hold: ":41" or "gemm.rs:41" is a line, "#12" an operation, "41" a line or a number in a text, anything
// else a part of a text. Alone, a number is a line; "line 41" is one word.
export function parseQuery(query) {
  const words = query.trim().toLowerCase().replace(/\bline\s*(\d+)/g, ':$1').split(/\s+/).filter(Boolean);
  return words.length > 0 ? words.map(word => parseWord(word, words.length === 1)) : null;
}

function parseWord(word, isAlone) {
  const line = /^(?:(\S*):)?(\d+)$/.exec(word);
  const number = /^#(\d+)$/.exec(word);
  return {
    operation: number ? Number(number[1]) : -1,
    line: line ? Number(line[2]) : -1,
    file: line?.[1] ?? '',
    text: number || line?.[1] !== undefined || (line && isAlone) ? '' : word,
  };
}

// Long texts are shared between operations: each is searched once.
function textMarks(texts, word) {
  return texts.map(text => text.toLowerCase().includes(word));
}

function operationWords(schedule, operation) {
  return [operation.method, operation.context, operation.bound ?? ''].join(' ').toLowerCase();
}

// A text is in an operation: its method, context, bound, source line, or the name of a tensor that it touches.
function textHits(schedule, text) {
  const texts = textMarks(schedule.texts, text);
  const names = schedule.tensors.map(tensor => tensor.name.toLowerCase().includes(text));
  const kinds = new Map();
  const inKind = operation => {
    const key = `${operation.method} ${operation.context} ${operation.bound}`;
    if (!kinds.has(key)) kinds.set(key, operationWords(schedule, operation).includes(text));
    return kinds.get(key);
  };
  return {
    operation: operation => inKind(operation) || (operation.source >= 0 && texts[operation.source]) ||
      operation.reads.some(id => names[id]) || (operation.writes >= 0 && names[operation.writes]),
    tensor: (tensor, i) => names[i] || (tensor.mapping >= 0 && texts[tensor.mapping]),
  };
}

const NOWHERE = { operation: () => false, tensor: () => false };

// What a word holds for: {operations, tensors}.
function wordMarks(schedule, word) {
  const inText = word.text ? textHits(schedule, word.text) : NOWHERE;
  const onLine = thing => word.line >= 0 && thing.line === word.line && fileOf(schedule, thing).toLowerCase().endsWith(word.file);
  return {
    operations: schedule.operations.map((operation, i) => i === word.operation || onLine(operation) || inText.operation(operation)),
    tensors: schedule.tensors.map((tensor, i) => onLine(tensor) || inText.tensor(tensor, i)),
  };
}

// { operations, tensors: marks; list: numbers of the operations, by begin }; null: nothing is searched.
export function search(schedule, text) {
  const words = parseQuery(text);
  if (!words) return null;
  const sets = words.map(word => wordMarks(schedule, word));
  const mark = kind => Uint8Array.from(schedule[kind], (_, i) => (sets.every(set => set[kind][i]) ? 1 : 0));
  const found = { operations: mark('operations'), tensors: mark('tensors') };
  found.list = schedule.order.filter(id => found.operations[id]);
  found.tensorCount = found.tensors.reduce((sum, one) => sum + one, 0);
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
