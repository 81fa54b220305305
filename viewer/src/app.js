// The page: one or two schedules, what is selected, and everything that follows from it.
import { byId, make } from './dom.js';
import { count, baseName, plural } from './format.js';
import { Timeline } from './timeline.js';
import { OperationTable } from './table.js';
import { summarise } from './summary.js';
import { inspectOperation, inspectTensor, inspectRange } from './inspector.js';
import { describeChanges } from './changes.js';
import { compareSchedules, rowsOfOperations, twinOf } from './compare.js';
import { search, describeOperation } from './search.js';
import { readPalette, categories, categoryColour } from './palette.js';
import { parseHash, formatHash, keepAddress } from './state.js';
import { tooltipOf } from './tooltip.js';
import { tensorName } from './document.js';
import { Tabs } from './tabs.js';

const HASH_DELAY = 250;
const NOTICE_TIME = 3500;

export class App {
  constructor() {
    this.panes = [];
    this.selection = null; // {pane, kind, id}
    this.hover = null;
    this.range = null; // {pane, from, to, memory, low, high}
    this.query = '';
    this.critical = false;
    this.showIdle = false;
    this.colour = 'lane';
    this.link = 'line';
    this.stacked = false;
    this.palette = readPalette();
    this.tabs = new Tabs(byId('tabs'), name => this.tabShown(name));
    this.table = new OperationTable(this);
    byId('panel-operations').append(this.table.element);
  }

  // ---- schedules

  get first() {
    return this.panes[0];
  }

  // `name`: of the file that it comes from; empty: the page itself holds it, and its address keeps the view of it.
  open(schedule, name) {
    this.isOwn = name === '';
    for (const pane of this.panes) pane.dispose();
    this.panes = [new Timeline(this, schedule, 0, titleOf(schedule, name))];
    this.selection = this.hover = this.range = null;
    this.rows = null;
    document.body.dataset.state = 'open';
    document.title = `${titleOf(schedule, name)} \u2013 Contra`;
    this.restore(parseHash(location.hash));
    this.arrange();
    this.announce(`${titleOf(schedule, name)}: ${plural(schedule.doc.cycles, 'cycle')}, ${plural(schedule.operations.length, 'operation')}`);
  }

  compareWith(schedule, name) {
    if (!this.first) return this.open(schedule, name);
    this.panes[1]?.dispose();
    this.panes[1] = new Timeline(this, schedule, 1, titleOf(schedule, name));
    this.rows = compareSchedules(this.first.schedule, schedule);
    this.rowOf = rowsOfOperations(this.rows, this.first.schedule, schedule);
    this.arrange();
    this.linkFrom(this.first);
    return this.tabs.show('compare');
  }

  closeSecond() {
    this.panes.pop().dispose();
    this.rows = null;
    if (this.selection && !this.panes.includes(this.selection.pane)) this.selection = null;
    if (this.range && !this.panes.includes(this.range.pane)) this.range = null;
    this.arrange();
    this.tabs.show('summary');
  }

  // Puts the panes in place and everything else in step with them.
  arrange() {
    const box = byId('panes');
    box.className = this.panes.length > 1 ? `two ${this.stacked ? 'stacked' : 'beside'}` : 'one';
    box.replaceChildren(...this.panes.map(pane => pane.element));
    const extent = Math.max(...this.panes.map(pane => pane.schedule.cycles)); // so that a cycle is as wide in both
    this.panes.forEach((pane, i) => pane.beOneOf(this.panes.length, 'AB'[i], extent));
    this.tabs.enable('compare', this.panes.length > 1);
    this.heading();
    this.findAgain();
    this.legend();
    this.details();
  }

  heading() {
    const { doc } = this.first.schedule;
    byId('kernel').textContent = doc.kernel || 'kernel';
    byId('facts').textContent = [`${count(doc.cycles)} cycles`, doc.machine, doc.cost && `${doc.cost} costs`].filter(Boolean).join(' \u00b7 ');
  }

  // ---- what a pane draws

  frameState(pane) {
    const mine = thing => (thing && thing.pane === pane ? thing : null);
    return {
      palette: this.palette,
      colours: pane.colours ?? null,
      ...this.marksOf(pane),
      critical: this.critical,
      selection: mine(this.selection),
      hover: mine(this.hover),
      range: mine(this.range),
      twins: this.twinsIn(pane),
    };
  }

  // What stands out while the rest is dimmed: what was found, or the critical path; null: all.
  marksOf(pane) {
    if (pane.found) return pane.foundMarks;
    if (!this.critical) return { marks: null, tensorMarks: null };
    pane.criticalMarks ??= marksWithTensors(pane.schedule, Uint8Array.from(pane.schedule.operations, operation => (operation.critical ? 1 : 0)));
    return pane.criticalMarks;
  }

  // Operations of the line that the other pane points at.
  twinsIn(pane) {
    const thing = this.hover?.kind === 'operation' ? this.hover : this.selection;
    if (!this.rows || !thing || thing.kind !== 'operation' || thing.pane === pane) return [];
    const row = this.rows[this.rowOf[thing.pane.side][thing.id]];
    return (pane.side === 0 ? row?.a : row?.b)?.operations ?? [];
  }

  refresh() {
    for (const pane of this.panes) pane.refresh();
  }

  // ---- selection

  isSelected(pane, kind, id) {
    const one = this.selection;
    return Boolean(one && one.pane === pane && one.kind === kind && one.id === id);
  }

  selectThing(pane, thing, reveal = false, from = '') {
    this.selection = thing && { pane, kind: thing.kind, id: thing.id };
    if (reveal && thing) this.revealThing(pane, thing);
    if (thing && from !== 'table') this.tabs.show('selection');
    this.details(from);
    this.linkFrom(pane);
    this.refresh();
    this.keepHash();
    if (thing) this.announce(describeThing(pane.schedule, thing));
  }

  revealThing(pane, thing) {
    if (thing.kind === 'operation') return pane.revealOperation(thing.id);
    const tensor = pane.schedule.tensors[thing.id];
    return pane.reveal(tensor.from, Math.max(tensor.to, tensor.from + 1));
  }

  zoomToThing(pane, thing) {
    const one = thing.kind === 'operation' ? pane.schedule.operations[thing.id] : pane.schedule.tensors[thing.id];
    pane.zoomTo(one.begin ?? one.from, one.end ?? one.to);
  }

  zoomToSelection(pane) {
    if (this.selection?.pane === pane) this.zoomToThing(pane, this.selection);
    else this.notice('Select an operation or a tensor first: Enter zooms to it');
  }

  // The next or previous operation by time, of those that a search found if there is one.
  step(pane, by) {
    const list = pane.found?.list ?? pane.schedule.order;
    if (list.length === 0) return;
    const here = this.selection?.pane === pane && this.selection.kind === 'operation' ? list.indexOf(this.selection.id) : -1;
    const next = here < 0 ? firstInSight(pane, list, by) : (here + by + list.length) % list.length;
    this.selectThing(pane, { kind: 'operation', id: list[next] }, true);
  }

  toCulprit(pane) {
    if (this.selection?.pane !== pane || this.selection.kind !== 'operation') {
      this.notice('Select an operation first: w goes to what it waited for');
      return;
    }
    const culprit = pane.schedule.operations[this.selection.id].waits[0]?.operation ?? -1;
    if (culprit >= 0) this.selectThing(pane, { kind: 'operation', id: culprit }, true);
    else this.notice('It waited for no operation');
  }

  // The other pane, if there is one, has its cursor in the same place and shows what stands on the same line.
  hoverThing(pane, hit, at) {
    this.hover = hit && { pane, ...hit };
    tooltipOf(byId('tooltip'), pane, hit, at);
    const other = this.panes.find(one => one !== pane);
    if (!other) return;
    other.cursor = pane.cursor === null ? null : pane.cursor + other.view.from - pane.view.from;
    other.refresh();
  }

  forgetPointer() {
    for (const pane of this.panes) pane.forgetPointer();
  }

  setRange(pane, range) {
    this.range = range && { pane, ...range };
    if (range) this.tabs.show('selection');
    this.details();
    this.refresh();
    this.keepHash();
  }

  // The brush without a pointer: cycles of an operation, cycles and addresses of a tensor.
  brushSelection(pane) {
    if (this.selection?.pane !== pane) {
      this.notice('Select an operation or a tensor first: b brushes it');
      return;
    }
    const { kind, id } = this.selection;
    const one = kind === 'tensor' ? pane.schedule.tensors[id] : pane.schedule.operations[id];
    this.setRange(pane, kind === 'tensor'
      ? { from: one.from, to: one.to, memory: one.memory, low: one.address, high: one.address + one.bytes }
      : { from: one.begin, to: one.end });
  }

  showRange(pane, range) {
    pane.zoomTo(range.from, range.to);
    this.setRange(pane, { from: range.from, to: range.to });
  }

  zoomToRange() {
    if (this.range) this.range.pane.zoomToRange(this.range);
    else this.notice('Brush first: z zooms to it');
  }

  clear() {
    if (this.range) this.setRange(this.range.pane, null);
    else if (this.selection) this.selectThing(this.selection.pane, null);
    else if (this.query) this.runSearch('');
  }

  // From the table to what it says about the operation.
  readSelection() {
    this.tabs.show('selection');
    byId('panel-selection').querySelector('h2')?.focus();
  }

  // ---- panels

  details(from = '') {
    const { selection, range, first } = this;
    if (!first) return;
    const box = byId('panel-selection');
    if (range) box.replaceChildren(...flat(inspectRange(this, range.pane, range)));
    else if (selection?.kind === 'operation') box.replaceChildren(...flat(inspectOperation(this, selection.pane, selection.id)));
    else if (selection) box.replaceChildren(...flat(inspectTensor(this, selection.pane, selection.id)));
    else box.replaceChildren(make('p', { class: 'muted' }, 'Click an operation or a tensor, or brush over the ruler.'));
    box.scrollTop = 0;
    if (from === 'table') this.table.draw();
    else if (selection?.kind === 'operation' && selection.pane === this.table.pane) this.table.follow(selection.id);
    if (this.rows) byId('panel-compare').replaceChildren(...flat(describeChanges(this, this.panes, this.rows)));
  }

  tabShown(name) {
    if (name === 'operations') this.table.draw();
    this.keepHash();
  }

  legend() {
    const by = this.colour;
    for (const pane of this.panes) pane.colours = categories(pane.schedule, by);
    const colours = this.first.colours;
    const kinds = [...new Set(this.first.schedule.lanes.filter(lane => lane.tracks.length > 0).map(lane => lane.kind))];
    const entry = (colour, name) => make('span', { class: 'key' }, make('span', { class: 'swatch', style: { background: colour } }), name);
    byId('legend').replaceChildren(...(colours
      ? colours.names.map((name, i) => entry(categoryColour(this.palette, i), name))
      : kinds.map(kind => entry(this.palette[kind], KIND_NAMES[kind]))));
    const hidden = this.first.scene.hidden;
    byId('idle').hidden = hidden === 0 && !this.showIdle;
    byId('idle').textContent = this.showIdle ? 'Hide idle lanes' : `Show ${plural(hidden, 'idle lane')}`;
    this.refresh();
  }

  setColour(by) {
    this.colour = by;
    byId('colour').value = by;
    this.legend();
    this.keepHash();
  }

  toggleIdle() {
    this.showIdle = !this.showIdle;
    for (const pane of this.panes) pane.layOut();
    this.legend();
    this.keepHash();
  }

  toggleCritical(on = !this.critical) {
    this.critical = on;
    byId('critical').setAttribute('aria-pressed', String(on));
    this.refresh();
    this.keepHash();
    this.announce(on ? `Critical path: ${plural(this.first.schedule.critical.length, 'operation')}` : 'Critical path off');
  }

  themeChanged() {
    this.palette = readPalette();
    if (this.first) this.legend();
  }

  // ---- search

  runSearch(text) {
    byId('search').value = text;
    this.query = text;
    this.findAgain();
    this.keepHash();
  }

  findAgain() {
    for (const pane of this.panes) {
      const found = search(pane.schedule, this.query);
      pane.found = found;
      pane.foundMarks = found && (found.tensorCount > 0 ? { marks: found.operations, tensorMarks: found.tensors } : marksWithTensors(pane.schedule, found.operations));
    }
    const found = this.first.found;
    byId('found').textContent = !found ? '' : found.list.length > 0 || found.tensorCount === 0
      ? `${count(found.list.length)} found` : plural(found.tensorCount, 'tensor');
    this.table.show(this.first, found);
    this.refresh();
  }

  // ---- two panes move together

  viewChanged(pane) {
    this.linkFrom(pane);
    this.keepHash();
  }

  linkFrom(pane) {
    const other = this.panes.find(one => one !== pane);
    if (!other) return;
    const span = pane.view.to - pane.view.from;
    const shift = this.link === 'line' ? this.lineShift(pane, other) : 0;
    other.setWindow({ from: pane.view.from + shift, to: pane.view.from + shift + span }, true);
  }

  // Cycles by which the other pane lies further: the same turn of the same line begins at the same x.
  lineShift(pane, other) {
    const id = this.selection?.pane === pane && this.selection.kind === 'operation' ? this.selection.id : middleOperation(pane);
    const row = this.rows[this.rowOf[pane.side][id]];
    const twin = row ? twinOf(row, pane.side, id) : -1;
    return twin < 0 ? 0 : other.schedule.operations[twin].begin - pane.schedule.operations[id].begin;
  }

  setLink(link) {
    this.link = link;
    this.linkFrom(this.first);
    this.details();
  }

  toggleStacked() {
    this.stacked = !this.stacked;
    this.arrange();
  }

  // A line of the table of changes.
  showRow(row) {
    const side = row.a ? 0 : 1;
    const line = row.a ?? row.b;
    this.selectThing(this.panes[side], { kind: 'operation', id: line.operations[0] ?? line.waiting }, true, 'table');
    this.tabs.show('compare');
  }

  // ---- the hash, the live region

  keepHash() {
    clearTimeout(this.hashTimer);
    this.hashTimer = setTimeout(() => {
      if (!this.first || !this.isOwn) return;
      const mine = thing => (thing?.pane === this.first ? thing : null);
      const hash = formatHash({ view: this.first.view, addresses: this.first.addressesShown(), brush: mine(this.range), selection: mine(this.selection), query: this.query, tab: this.tabs.current, critical: this.critical, idle: this.showIdle, colour: this.colour });
      keepAddress(hash);
    }, HASH_DELAY);
  }

  restore(state) {
    const { schedule } = this.first;
    if (state.view) this.first.setWindow(state.view);
    this.first.showAddresses(state.addresses);
    const isKnown = !state.brush?.memory || schedule.memories.some(memory => memory.name === state.brush.memory);
    if (state.brush && isKnown) this.range = { pane: this.first, ...state.brush };
    this.query = state.query;
    byId('search').value = state.query;
    this.showIdle = state.idle;
    this.colour = KNOWN_COLOURS.includes(state.colour) ? state.colour : 'lane';
    byId('colour').value = this.colour;
    this.critical = state.critical;
    byId('critical').setAttribute('aria-pressed', String(state.critical));
    const list = { operation: schedule.operations, tensor: schedule.tensors }[state.selection?.kind];
    if (list && state.selection.id < list.length) this.selection = { pane: this.first, ...state.selection };
    byId('panel-summary').replaceChildren(...flat(summarise(this, this.first)));
    this.tabs.show(state.tab && state.tab !== 'compare' ? state.tab : this.selection || this.range ? 'selection' : 'summary');
  }

  announce(text) {
    byId('live').textContent = text;
  }

  // What everybody should see, for a moment: why a key did nothing.
  notice(text) {
    this.announce(text);
    byId('notice').textContent = text;
    byId('notice').hidden = false;
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => { byId('notice').hidden = true; }, NOTICE_TIME);
  }
}

const KNOWN_COLOURS = ['lane', 'bound', 'method', 'line'];

const KIND_NAMES = { dma: 'DMA', pcie: 'PCIe', main: 'main', sub: 'sub', vector: 'Vector Engine', hbm: 'HBM' };

// Operations, and the tensors that they read and write.
function marksWithTensors(schedule, marks) {
  const tensorMarks = new Uint8Array(schedule.tensors.length);
  schedule.operations.forEach((operation, id) => {
    if (!marks[id]) return;
    for (const tensor of operation.reads) tensorMarks[tensor] = 1;
    if (operation.writes >= 0) tensorMarks[operation.writes] = 1;
  });
  return { marks, tensorMarks };
}

const flat = parts => parts.flat(Infinity).filter(Boolean);

const titleOf = (schedule, name) => [schedule.doc.kernel || 'kernel', name && baseName(name)].filter(Boolean).join(', ');

function describeThing(schedule, thing) {
  if (thing.kind === 'operation') return describeOperation(schedule, thing.id);
  const tensor = schedule.tensors[thing.id];
  return `Tensor ${tensorName(schedule, thing.id)} in ${tensor.memory}, alive from cycle ${tensor.from} to ${tensor.to}`;
}

function firstInSight(pane, list, by) {
  const { operations } = pane.schedule;
  const at = list.findIndex(id => operations[id].end > pane.view.from);
  return at < 0 ? (by > 0 ? 0 : list.length - 1) : at;
}

// The operation that begins last before the middle of the window.
function middleOperation(pane) {
  const { order, operations } = pane.schedule;
  const middle = (pane.view.from + pane.view.to) / 2;
  let low = 0;
  let high = order.length;
  while (low < high) {
    const at = (low + high) >> 1;
    if (operations[order[at]].begin <= middle) low = at + 1;
    else high = at;
  }
  return order[Math.max(low - 1, 0)];
}
