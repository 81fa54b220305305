// What lies where: the cells of a tensor's mapping, for the picture of it. A mapping gives each position an index into the
// logical tensor, or padding. This reads what `tensor.mapping` holds, "m![1], m![1 # 2], m![I / 4], m![I % 4, K]": one mapping
// for each of chip, cluster, slice, (row,) element.
//
// Contributions to one axis add up over all of them. An operand of / and % is an atom: contributions to it add up first, and
// the sum says which axes it means, or that it is padding (`A # 64 / 8` beside `A # 64 % 8`, A = 63).

class Unreadable extends Error {}

// Sizes of the language's types.
export const TYPE_BITS = { i4: 4, u4: 4, i5: 5, i8: 8, u8: 8, i9: 9, f8e4m3: 8, f8e5m2: 8, i16: 16, f16: 16, bf16: 16, i32: 32, f32: 32, i64: 64, f64: 64 };

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
  constructor(text) {
    this.tokens = tokens(text);
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
    return parts.length === 1 ? parts[0] : { kind: 'list', parts };
  }

  primary() {
    for (const [open, close] of ['()', '[]']) if (this.take(open)) return this.list(close);
    const token = this.tokens[this.at++];
    if (token === '1') return { kind: 'list', parts: [] };
    if (!/^[A-Za-z_]/.test(token ?? '')) throw new Unreadable();
    return { kind: 'axis', name: token };
  }

  expr() {
    let of = this.primary();
    while (['/', '%', '#', '='].includes(this.tokens[this.at])) {
      const kind = this.tokens[this.at++];
      const number = Number(this.tokens[this.at++]);
      if (!Number.isInteger(number) || number < 1) throw new Unreadable();
      of = { kind, of, number };
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

// One mapping for each dimension of the memory; null: it is written in a way that this does not read.
function parseMapping(text, memory) {
  const names = DIMENSIONS[memory];
  try {
    const nodes = names ? new MappingParser(text).all() : [];
    return names && nodes.length === names.length ? { names, nodes } : null;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

// Positions of a mapping, NaN where they depend on an axis whose size is not known. Each part keeps its own.
function measure(node, axes) {
  if (node.kind === 'axis') node.size = axes.get(node.name) > 0 ? axes.get(node.name) : NaN;
  else if (node.kind === 'list') node.size = node.parts.reduce((size, part) => size * measure(part, axes), 1);
  else {
    const size = measure(node.of, axes);
    node.size = node.kind === '/' ? Math.ceil(size / node.number) : node.number;
  }
  return node.size;
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
  const key = (node.key ??= nodeKey(node));
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
  const parsed = parseMapping(text, memory);
  if (!parsed) return null;
  const { names, nodes } = parsed;
  for (const node of nodes) measure(node, axes);
  if (usedAxes(nodes).some(name => !(axes.get(name) > 0))) return null;
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

// ---- sizes of axes

// What a tensor says of them: its mappings have as many positions as it has places, and as it has elements in each.
function equationsOf(tensor, text) {
  const parsed = parseMapping(text, tensor.memory);
  const elements = (tensor.bytes * 8) / TYPE_BITS[tensor.type];
  if (!parsed || !Number.isInteger(elements)) return [];
  const totals = { chip: tensor.chips, cluster: tensor.clusters, slice: tensor.slices };
  const outer = parsed.nodes.filter((_, i) => totals[parsed.names[i]] > 0);
  const inner = parsed.nodes.filter((_, i) => !(totals[parsed.names[i]] > 0));
  return [...outer.map((node, i) => ({ node, total: totals[parsed.names[i]] })), { node: { kind: 'list', parts: inner }, total: elements }];
}

// Finds the one axis that `node`, of `total` positions, leaves open; false: there is none, or several.
function solve(node, total, axes) {
  if (node.kind === 'axis') return axes.set(node.name, total) && true;
  if (node.kind === '/') return solve(node.of, total * node.number, axes);
  if (node.kind !== 'list') return false;
  const open = node.parts.filter(part => Number.isNaN(part.size));
  const known = node.parts.reduce((size, part) => size * (part.size || 1), 1);
  return open.length === 1 && total % known === 0 && solve(open[0], total / known, axes);
}

// Sizes of axes, worked out from what the tensors say, where the document does not give them. Those of a tensor that does not fit
// are left out: no picture is better than a wrong one.
export function inferAxes(tensors, texts) {
  const seen = new Set();
  const equations = tensors.flatMap(tensor => {
    const key = [tensor.mapping, tensor.memory, tensor.type, tensor.bytes].join();
    if (tensor.mapping < 0 || seen.has(key)) return [];
    seen.add(key);
    return equationsOf(tensor, texts[tensor.mapping]);
  });
  const axes = new Map();
  let open = equations;
  for (let before = -1; before !== axes.size;) {
    before = axes.size;
    for (const { node, total } of open) if (Number.isNaN(measure(node, axes))) solve(node, total, axes);
    open = open.filter(({ node }) => Number.isNaN(measure(node, axes)));
  }
  const wrong = equations.filter(({ node, total }) => measure(node, axes) !== total && !Number.isNaN(node.size));
  for (const name of usedAxes(wrong.map(({ node }) => node))) axes.delete(name);
  return [...axes].map(([name, size]) => ({ name, size }));
}

// Sizes of axes: of all tensors, and of one.
export function axesOf(schedule, tensor) {
  return new Map([...schedule.axes, ...tensor.axes].map(axis => [axis.name, axis.size]));
}
