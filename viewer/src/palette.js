// Colours live in style.css; the canvas asks for them once per theme.

const NAMES = ['ground', 'raised', 'line', 'faint', 'text', 'muted', 'accent', 'onfill', 'dma', 'pcie', 'main', 'sub', 'vector', 'hbm',
  'read', 'write', 'wait', 'critical', 'lane', 'c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'other'];

export function readPalette() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(NAMES.map(name => [name, style.getPropertyValue(`--${name}`).trim()]));
}

// [r, g, b] of "#rrggbb".
export const channels = colour => [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));

const CATEGORIES = 9; // then "others"

const KEYS = {
  bound: operation => operation.bound || 'not known',
  method: operation => operation.method,
  line: operation => (operation.line > 0 ? `line ${operation.line}` : 'no line'),
};

// How operations are coloured: null by their lane, otherwise {index: colour of each, names}. The most cycles get the first colours.
export function categories(schedule, by) {
  const key = KEYS[by];
  if (!key) return null;
  const sums = new Map();
  for (const operation of schedule.operations)
    sums.set(key(operation), (sums.get(key(operation)) ?? 0) + operation.end - operation.begin);
  const names = [...sums].sort((a, b) => b[1] - a[1]).slice(0, CATEGORIES).map(([name]) => name);
  const rank = new Map(names.map((name, i) => [name, i]));
  const index = Uint8Array.from(schedule.operations, operation => rank.get(key(operation)) ?? CATEGORIES);
  return { index, names: sums.size > CATEGORIES ? [...names, 'others'] : names };
}

export const categoryColour = (palette, i) => (i >= CATEGORIES ? palette.other : palette[`c${i}`]);

// Tensors of one name share a tint.
export function tintOf(name) {
  let sum = 7;
  for (let i = 0; i < name.length; i++) sum = (sum * 31 + name.charCodeAt(i)) >>> 0;
  return sum % 8;
}
