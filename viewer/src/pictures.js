// A tensor's mapping, drawn over slices and bytes, and where it lies in its memory.
import { make, shape } from './dom.js';
import { textOf } from './document.js';
import { axesOf, readMapping, TYPE_BITS } from './mapping.js';
import { count, hex, sizeText } from './format.js';

const WIDE = 300; // pixels of the picture
const HIGH = 256;

// ---- cells: rows are slices (rows of HBM's picture: 16ths of the tensor), columns are bytes, colour is the index along an axis

function hueOf(part) {
  return [210 + 150 * part, 68, 38 + 34 * (1 - Math.abs(part - 0.5))];
}

function hsl([hue, saturation, lightness]) {
  const light = lightness / 100;
  const reach = (saturation / 100) * Math.min(light, 1 - light);
  return [0, 8, 4].map(n => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (light - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  });
}

class MappingGrid {
  constructor(schedule, tensor, mapping) {
    this.mapping = mapping;
    this.tensor = tensor;
    this.sizes = mapping.dimensions.map(dimension => dimension.size);
    this.slice = mapping.dimensions.findIndex(dimension => dimension.name === 'slice');
    this.element = mapping.dimensions.length - 1;
    this.rows = this.slice >= 0 ? this.sizes[this.slice] : 16;
    const row = mapping.dimensions.findIndex(dimension => dimension.name === 'row');
    this.inner = row >= 0 ? this.sizes[row] : 1;
    this.elements = this.inner * this.sizes[this.element];
    this.columns = this.slice >= 0 ? this.elements : Math.ceil(this.elements / this.rows);
    this.bits = TYPE_BITS[tensor.type] ?? 8;
    this.lengths = axesOf(schedule, tensor);
    this.cluster = mapping.dimensions.findIndex(dimension => dimension.name === 'cluster');
    this.shownCluster = 0;
  }

  // Positions in all dimensions of cell (row, column) of the picture.
  positions(row, column) {
    const at = this.slice >= 0 ? column : row * this.columns + column;
    if (at >= this.elements) return null;
    const out = this.sizes.map(() => 0);
    if (this.slice >= 0) out[this.slice] = row;
    if (this.cluster >= 0) out[this.cluster] = this.shownCluster;
    if (this.mapping.dimensions[this.element - 1]?.name === 'row') out[this.element - 1] = Math.floor(at / this.sizes[this.element]);
    out[this.element] = at % this.sizes[this.element];
    return out;
  }

  cell(row, column) {
    const at = this.positions(row, column);
    return at && this.mapping.cell(at);
  }

  describe(row, column) {
    const at = this.positions(row, column);
    if (!at) return '';
    const index = this.mapping.cell(at);
    const offset = Math.floor(((at[this.element] + (this.inner > 1 ? at[this.element - 1] * this.sizes[this.element] : 0)) * this.bits) / 8);
    const place = `${this.slice >= 0 ? `slice ${row}, ` : ''}byte ${hex(offset)}`;
    const what = index ? this.mapping.axes.filter(name => index.has(name)).map(name => `${name} = ${index.get(name)}`).join(', ') || 'the only element' : 'padding';
    return `${place}: ${what}`;
  }

  paint(canvas, axis) {
    const width = Math.min(this.columns, WIDE);
    const height = Math.min(this.rows, HIGH);
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext('2d');
    const image = context.createImageData(width, height);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const index = this.cell(Math.floor((y * this.rows) / height), Math.floor((x * this.columns) / width));
        image.data.set(this.colour(index, axis), (y * width + x) * 4);
      }
    context.putImageData(image, 0, 0);
  }

  colour(index, axis) {
    if (!index) return [128, 128, 128, 40];
    if (!index.has(axis)) return [...hsl(hueOf(0)), 255];
    return [...hsl(hueOf(index.get(axis) / Math.max(this.lengths.get(axis) - 1, 1))), 255];
  }
}

export function mappingPicture(schedule, tensor) {
  const text = textOf(schedule, tensor.mapping);
  const mapping = text && readMapping(text, tensor.memory, axesOf(schedule, tensor));
  if (!mapping || mapping.axes.length === 0) return null;
  const grid = new MappingGrid(schedule, tensor, mapping);
  const canvas = make('canvas', { class: 'mapping', role: 'img', 'aria-label': `Which index lies in which slice and byte: ${text}` });
  const caption = make('p', { class: 'muted caption', 'aria-live': 'off' }, 'Point at a cell to read it.');
  const repaint = () => {
    grid.shownCluster = Number(cluster.value);
    grid.paint(canvas, choose.value);
  };
  const clusters = grid.cluster >= 0 ? grid.sizes[grid.cluster] : 1;
  const cluster = make('select', { 'aria-label': 'Cluster', hidden: clusters < 2, onchange: repaint },
    Array.from({ length: clusters }, (_, i) => make('option', { value: i }, `cluster ${i}`)));
  const choose = make('select', { 'aria-label': 'Axis that the colour shows', onchange: repaint },
    mapping.axes.map(name => make('option', { value: name }, `${name} = ${grid.lengths.get(name)}`)));
  canvas.addEventListener('pointermove', event => {
    const box = canvas.getBoundingClientRect();
    const row = Math.floor(((event.clientY - box.top) / box.height) * grid.rows);
    const column = Math.floor(((event.clientX - box.left) / box.width) * grid.columns);
    if (row >= 0 && row < grid.rows && column >= 0 && column < grid.columns) caption.textContent = grid.describe(row, column);
  });
  grid.paint(canvas, mapping.axes[0]);
  return make('section', {}, make('h3', {}, 'Mapping'),
    make('p', { class: 'picture-head' }, make('span', { class: 'muted' }, grid.slice >= 0
      ? `${count(grid.rows)} slices \u2193 \u00d7 ${sizeText(tensor.bytes)} \u2192`
      : `${sizeText(tensor.bytes)}, line after line`), make('span', { class: 'end' }, cluster, ' ', choose)),
    canvas, caption);
}

// ---- the place in memory: which slices of which clusters, and the bytes in each

// The memory as the document describes it, otherwise as much of it as the schedule's tensors take.
function memoryFacts(schedule, tensor) {
  const facts = { bytes: 0, clusters: 1, slices: 1, banks: 0, bank_bytes: 0 };
  for (const one of schedule.tensors) {
    if (one.memory !== tensor.memory) continue;
    facts.bytes = Math.max(facts.bytes, one.address + one.bytes);
    for (const name of ['clusters', 'slices']) facts[name] = Math.max(facts[name], one[name]);
  }
  const said = schedule.machineMemories.find(memory => memory.memory === tensor.memory) ?? {};
  for (const name of Object.keys(facts)) if (said[name] > 0) facts[name] = said[name];
  return facts;
}

export function placePicture(schedule, tensor) {
  const facts = memoryFacts(schedule, tensor);
  if (!(facts.bytes > 0) || tensor.address < 0) return null;
  return make('section', {}, make('h3', {}, 'Place'),
    facts.slices > 1 && make('p', { class: 'muted' },
      `${count(tensor.slices)} of ${count(facts.slices)} slices in ${tensor.clusters} of ${facts.clusters} clusters; those that hold nothing but padding are pale`),
    facts.slices > 1 && sliceGrid(tensor, facts, sliceHolds(schedule, tensor)), byteBar(tensor, facts));
}

// Whether a slice of a cluster holds data, not only padding. The first element stands for all: mappings pad whole slices.
function sliceHolds(schedule, tensor) {
  const mapping = readMapping(textOf(schedule, tensor.mapping), tensor.memory, axesOf(schedule, tensor));
  if (!mapping) return () => true;
  const names = mapping.dimensions.map(dimension => dimension.name);
  return (cluster, slice) => mapping.cell(names.map(name => ({ cluster, slice })[name] ?? 0)) !== null;
}

function sliceGrid(tensor, facts, holdsData) {
  const side = 32;
  const rows = Math.ceil(facts.slices / side);
  const cell = 4.4;
  const width = side * cell + 8;
  const marks = [];
  for (let cluster = 0; cluster < Math.min(facts.clusters, 4); cluster++) {
    const path = [[], [], []];
    for (let slice = 0; slice < facts.slices; slice++) {
      const held = cluster < tensor.clusters && slice < tensor.slices;
      path[!held ? 0 : holdsData(cluster, slice) ? 1 : 2].push(`M${cluster * width + (slice % side) * cell} ${Math.floor(slice / side) * cell}h3.6v3.6h-3.6z`);
    }
    marks.push(...['free', 'held', 'padding'].map((name, i) => shape('path', { d: path[i].join(''), class: name })));
  }
  return shape('svg', { class: 'slices', viewBox: `0 0 ${Math.min(facts.clusters, 4) * width} ${rows * cell}`, role: 'img',
    'aria-label': `${tensor.slices} slices of ${tensor.clusters} clusters hold it` }, marks);
}

// The whole of one place with the tensor in it, and enlarged: which banks its first bytes fall into.
function byteBar(tensor, facts) {
  const x = address => (300 * address) / facts.bytes;
  const left = x(tensor.address);
  const right = Math.max(x(tensor.address + tensor.bytes), left + 1.5);
  const middle = (left + right) / 2;
  const bar = shape('svg', { class: 'bytes', viewBox: '0 0 300 40', role: 'img',
    'aria-label': `Bytes ${hex(tensor.address)} to ${hex(tensor.address + tensor.bytes)} of ${sizeText(facts.bytes)}` },
  shape('rect', { x: 0.5, y: 2, width: 299, height: 16, rx: 2, class: 'free' }),
  shape('rect', { x: left, y: 2, width: right - left, height: 16, class: 'held' }),
  middle > 110 && shape('text', { x: 0, y: 32 }, '0x0'), middle < 190 && shape('text', { x: 300, y: 32, 'text-anchor': 'end' }, hex(facts.bytes)),
  shape('text', { x: Math.min(Math.max(middle, 50), 250), y: 32, 'text-anchor': 'middle' }, `${hex(tensor.address)}, ${sizeText(tensor.bytes)}`));
  return [bar, facts.banks > 0 && facts.bank_bytes > 0 && bankBar(tensor, facts)];
}

// Banks follow each other every few bytes.
function bankBar(tensor, facts) {
  const first = Math.floor(tensor.address / facts.bank_bytes) % facts.banks;
  const taken = Math.min(Math.ceil(tensor.bytes / facts.bank_bytes), facts.banks);
  const cell = 300 / facts.banks;
  const banks = Array.from({ length: facts.banks }, (_, bank) => {
    const held = (bank - first + facts.banks) % facts.banks < taken;
    return [shape('rect', { x: bank * cell + 0.5, y: 1, width: cell - 1.5, height: 14, rx: 2, class: held ? 'held' : 'free' }),
      shape('text', { x: bank * cell + cell / 2, y: 11.5, 'text-anchor': 'middle', class: held ? 'on' : '' }, String(bank))];
  });
  return make('p', { class: 'banks' }, make('span', { class: 'muted' }, 'banks'),
    shape('svg', { class: 'bytes', viewBox: '0 0 300 16', role: 'img', 'aria-label': `${taken} of ${facts.banks} banks` }, banks.flat()));
}
