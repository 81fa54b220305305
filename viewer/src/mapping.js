// What lies where: the cells of a tensor's mapping, for the picture of it. A mapping gives each position an index into the
// logical tensor, or padding. This reads what `tensor.mapping` holds, "m![1], m![1 # 2], m![I / 4], m![I % 4, K]": one mapping
// for each of chip, cluster, slice, (row,) element.
//
// Contributions to one axis add up over all of them. An operand of / and % is an atom: contributions to it add up first, and
// the sum says which axes it means, or that it is padding (`A # 64 / 8` beside `A # 64 % 8`, A = 63).

class Unreadable extends Error {}

const DIMENSIONS = { DM: ['chip', 'cluster', 'slice', 'element'], TRF: ['chip', 'cluster', 'slice', 'row', 'element'],
  VRF: ['chip', 'cluster', 'slice', 'element'], HBM: ['chip', 'element'], SPM: ['chip', 'element'] };

function tokens(text) {
  const out = text.replace(/m!\[/g, '(').match(/[A-Za-z_][A-Za-z_0-9]*|\d+|[()[\],/%#=]|\S/g) ?? [];
  let depth = 0; // of brackets opened by m![, which ] closes
  const opened = [];
  return out.map(token => {
    if (token === '(' || token === '[') opened[depth++] = token;
    if (token === ')' || token === ']') return opened[--depth] === '(' ? ')' : ']';
    return token;
  });
}

// expr = primary (("/" | "%" | "#" | "=") number)*; what is beyond that is left to the text.
class MappingParser {
  constructor(text, axes) {
    this.tokens = tokens(text);
    this.axes = axes;
    this.at = 0;
  }

  take(token) {
    if (this.tokens[this.at] !== token) return false;
    this.at++;
    return true;
  }

  expect(token) {
    if (!this.take(token)) throw new Unreadable();
  }

  list(close) {
    const parts = [];
    do parts.push(this.expr()); while (this.take(','));
    this.expect(close);
    return parts.length === 1 ? parts[0] : { kind: 'list', parts, size: parts.reduce((size, part) => size * part.size, 1) };
  }

  primary() {
    for (const [open, close] of ['()', '[]']) if (this.take(open)) return this.list(close);
    const token = this.tokens[this.at++];
    if (token === '1') return { kind: 'list', parts: [], size: 1 };
    if (!(this.axes.get(token) > 0)) throw new Unreadable();
    return { kind: 'axis', name: token, size: this.axes.get(token) };
  }

  expr() {
    let of = this.primary();
    while (['/', '%', '#', '='].includes(this.tokens[this.at])) {
      const kind = this.tokens[this.at++];
      const number = Number(this.tokens[this.at++]);
      if (!Number.isInteger(number) || number < 1) throw new Unreadable();
      of = { kind, of, number, size: kind === '/' ? Math.ceil(of.size / number) : number };
    }
    return of;
  }

  all() {
    const out = [];
    do {
      this.expect('(');
      out.push(this.list(')'));
    } while (this.take(','));
    if (this.at !== this.tokens.length) throw new Unreadable();
    return out;
  }
}

const nodeKey = node =>
  node.kind === 'axis' ? node.name :
    node.kind === 'list' ? `[${node.parts.map(nodeKey)}]` : `${nodeKey(node.of)}${node.kind}${node.number}`;

// Adds position `at` of `node` to the atoms it is made of; false: padding.
function contribute(node, at, atoms) {
  if (node.kind === 'list') return spread(node, at, (part, position) => contribute(part, position, atoms));
  if (node.kind === '#') return at < node.of.size && contribute(node.of, at, atoms);
  let stride = 1;
  while (node.kind === '/' || node.kind === '%' || node.kind === '=') {
    if (node.kind === '/') stride *= node.number;
    node = node.of;
  }
  const key = nodeKey(node);
  const atom = atoms.get(key) ?? { node, at: 0 };
  atom.at += at * stride;
  atoms.set(key, atom);
  return true;
}

// The last part of a list is the innermost.
function spread(node, at, visit) {
  for (let i = node.parts.length - 1; i >= 0; i--) {
    const part = node.parts[i];
    if (!visit(part, at % part.size)) return false;
    at = Math.floor(at / part.size);
  }
  return true;
}

// Turns what an atom came to into indices of axes; false: padding.
function resolve(node, at, index) {
  if (at >= node.size) return false;
  if (node.kind === 'axis') index.set(node.name, (index.get(node.name) ?? 0) + at);
  if (node.kind === 'axis') return index.get(node.name) < node.size;
  if (node.kind === 'list') return spread(node, at, (part, position) => resolve(part, position, index));
  if (node.kind === '#' || node.kind === '%' || node.kind === '=') return resolve(node.of, at, index);
  return resolve(node.of, at * node.number, index);
}

// {dimensions: [{name, size}], cell(positions) -> Map of axis to index, or null for padding}; null: the mapping is written in a
// way that this does not read, or the document does not say how long an axis is.
export function readMapping(text, memory, axes) {
  const names = DIMENSIONS[memory];
  if (!names) return null;
  let nodes;
  try {
    nodes = new MappingParser(text, axes).all();
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
  if (nodes.length !== names.length) return null;
  const cell = positions => {
    const atoms = new Map();
    const index = new Map();
    for (let i = 0; i < nodes.length; i++) if (!contribute(nodes[i], positions[i], atoms)) return null;
    for (const { node, at } of atoms.values()) if (!resolve(node, at, index)) return null;
    return index;
  };
  return { dimensions: names.map((name, i) => ({ name, size: nodes[i].size })), cell, axes: usedAxes(nodes) };
}

function usedAxes(nodes) {
  const names = new Set();
  const walk = node => (node.kind === 'axis' ? names.add(node.name) : (node.parts ?? [node.of]).forEach(walk));
  nodes.forEach(walk);
  return [...names];
}

// Sizes of axes as the document may give them: of all tensors, and of one.
export function axesOf(schedule, tensor) {
  return new Map([...schedule.axes, ...tensor.axes].map(axis => [axis.name, axis.size]));
}
