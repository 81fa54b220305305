// A pane: one schedule on one canvas, moved by wheel, drag and keys. It keeps the view; what is selected belongs to the app.
import { GUTTER, HEAD, OVERVIEW, layOut, pickAt, cycleAt, cyclesPerPixel, mostScroll, overviewCycle, addressAt, addressWindow, operationBoxes, scrollThumb } from './scene.js';
import { fitWindow, clampWindow, zoomWindow } from './scale.js';
import { Painter } from './paint.js';
import { Overlay } from './overlay.js';
import { make } from './dom.js';
import { count } from './format.js';

const ZOOM_STEP = 1.4; // of a key
const PAN_STEP = 0.12; // of the window
const CLICK = 4; // pixels: a shorter drag is a click

export class Timeline {
  // app: {selectThing, hoverThing, setRange, viewChanged, frameState(pane)}
  constructor(app, schedule, side, title) {
    this.app = app;
    this.schedule = schedule;
    this.side = side;
    this.canvas = make('canvas', {
      class: 'timeline', tabindex: 0, role: 'application', 'aria-roledescription': 'timeline',
      'aria-label': `Timeline of ${title}`, 'aria-describedby': 'timeline-keys',
    });
    this.title = make('p', { class: 'pane-title' }, make('b', {}, title), make('span', { class: 'muted' }, `${count(schedule.doc.cycles)} cycles`));
    this.element = make('div', { class: 'pane' }, this.title, this.canvas);
    const context = this.canvas.getContext('2d', { alpha: false });
    this.painter = new Painter(context);
    this.overlay = new Overlay(context);
    this.view = { ...fitWindow(schedule.cycles), scroll: 0, addresses: new Map() };
    this.extent = schedule.cycles;
    this.layOut();
    this.listen();
  }

  listen() {
    const on = (name, run, options) => this.canvas.addEventListener(name, run.bind(this), options);
    on('wheel', this.wheel, { passive: false });
    on('pointerdown', this.down);
    on('pointermove', this.move);
    on('pointerup', this.up);
    on('pointercancel', this.cancel);
    on('pointerleave', this.leave);
    on('dblclick', this.doubleClick);
    on('keydown', this.key);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.canvas);
  }

  // The name is worth its line where there are two. All are as long as the longest, so that windows can be the same.
  beOneOf(panes, letter, extent) {
    this.title.classList.toggle('named', panes > 1);
    this.title.dataset.side = letter;
    const showedAll = this.view.to - this.view.from >= this.extent;
    this.extent = extent;
    this.layOut();
    if (showedAll) this.setWindow(fitWindow(extent), true);
  }

  dispose() {
    this.forgetPointer();
    cancelAnimationFrame(this.pending);
    this.observer.disconnect();
    this.element.remove();
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(clientWidth * this.ratio);
    this.canvas.height = Math.round(clientHeight * this.ratio);
    this.layOut();
    this.paint(); // at once: a canvas that was resized is blank
  }

  layOut() {
    const { clientWidth, clientHeight } = this.canvas;
    this.scene = layOut(this.schedule, clientWidth || 800, clientHeight || 600, { idle: this.app.showIdle, extent: this.extent });
    this.scrollTo(this.view.scroll);
  }

  // Many changes, one frame.
  refresh() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => this.paint());
  }

  paint() {
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    if (this.pointer) this.point();
    const frame = { scene: this.scene, view: this.view, cursor: this.cursor, ...this.app.frameState(this) };
    this.painter.begin(frame, this.ratio || 1);
    this.painter.all();
    this.overlay.draw(frame);
  }

  // ---- the view

  setWindow(view, quiet = false) {
    const next = clampWindow(view, this.extent);
    this.view.from = next.from;
    this.view.to = next.to;
    this.refresh();
    if (!quiet) this.app.viewChanged(this);
  }

  scrollTo(scroll) {
    this.view.scroll = Math.min(Math.max(scroll, 0), mostScroll(this.scene));
    this.refresh();
  }

  zoom(factor, at = (this.view.from + this.view.to) / 2) {
    this.setWindow(zoomWindow(this.view, factor, at, this.extent));
  }

  pan(cycles) {
    this.setWindow({ from: this.view.from + cycles, to: this.view.to + cycles });
  }

  fit() {
    this.view.addresses.clear();
    this.scrollTo(0);
    this.setWindow(fitWindow(this.extent));
  }

  toStart() {
    const span = this.view.to - this.view.from;
    this.setWindow({ from: 0, to: span });
  }

  toEnd() {
    const span = this.view.to - this.view.from;
    this.setWindow({ from: this.schedule.cycles - span, to: this.schedule.cycles });
  }

  zoomTo(from, to) {
    const margin = Math.max((to - from) * 0.15, 2);
    this.setWindow({ from: from - margin, to: to + margin });
  }

  // Moves just enough to show [from, to]; zooms in where it would be a speck.
  reveal(from, to) {
    const span = this.view.to - this.view.from;
    if ((to - from) / span < 0.004 || to - from > span) return this.zoomTo(from - (to - from) * 4, to + (to - from) * 4);
    const middle = (from + to) / 2;
    if (from < this.view.from || to > this.view.to) this.setWindow({ from: middle - span / 2, to: middle + span / 2 });
    return undefined;
  }

  revealOperation(id) {
    const operation = this.schedule.operations[id];
    this.reveal(operation.begin, operation.end);
    const box = operationBoxes(this.scene, this.view, id)[0];
    if (!box) return;
    if (box.y < HEAD) this.scrollTo(this.view.scroll + box.y - HEAD - 8);
    else if (box.y + box.height > this.scene.height) this.scrollTo(this.view.scroll + box.y + box.height - this.scene.height + 8);
  }

  // ---- pointer

  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  // The wheel zooms where the pointer is; sideways or with shift it pans, over the names it scrolls, and with alt over memory it
  // zooms addresses. With ctrl (a pinch) it zooms, too.
  wheel(event) {
    event.preventDefault();
    const { x, y } = this.place(event);
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 200 : 1;
    const along = event.deltaX * unit || (event.shiftKey ? event.deltaY * unit : 0);
    const across = event.shiftKey ? 0 : event.deltaY * unit;
    const picked = pickAt(this.scene, this.view, x, y);
    if (Math.abs(along) > Math.abs(across)) this.pan(along * cyclesPerPixel(this.scene, this.view));
    else if (event.altKey && picked.band?.kind === 'memory') this.zoomAddresses(picked.band, Math.exp(across * 0.002), y);
    else if (x < GUTTER && !event.ctrlKey) this.scrollTo(this.view.scroll + across);
    else this.zoom(Math.exp(across * (event.ctrlKey ? 0.01 : 0.0022)), this.cycleFor(x, y));
  }

  cycleFor(x, y) {
    return y < OVERVIEW ? overviewCycle(this.scene, x) : cycleAt(this.scene, this.view, Math.max(x, GUTTER));
  }

  zoomAddresses(band, factor, y) {
    const { memory } = band;
    const now = addressWindow(this.view, memory);
    const at = memory.scale.place(addressAt(this.view, band, y));
    const span = Math.min((now.high - now.low) * factor, memory.scale.size);
    const low = Math.min(Math.max(at - (span * (at - now.low)) / (now.high - now.low), 0), memory.scale.size - span);
    this.setAddresses(memory, low, low + span);
  }

  setAddresses(memory, low, high) {
    if (high - low >= memory.scale.size * 0.999) this.view.addresses.delete(memory.name);
    else this.view.addresses.set(memory.name, { low, high: Math.max(high, low + 1) });
    this.refresh();
    this.app.viewChanged(this);
  }

  // The zoomed memories as a link keeps them, by address; and back.
  addressesShown() {
    const { addresses } = this.view;
    const shown = this.schedule.memories.filter(memory => addresses.has(memory.name));
    return shown.map(({ name, scale }) => {
      const { low, high } = addresses.get(name);
      return { memory: name, low: Math.floor(scale.address(low)), high: Math.ceil(scale.address(high)) };
    });
  }

  showAddresses(list) {
    for (const { memory, low, high } of list) {
      const found = this.schedule.memories.find(one => one.name === memory);
      if (found) this.setAddresses(found, found.scale.place(low), found.scale.place(high));
    }
  }

  down(event) {
    if (event.button > 1) return;
    const start = this.place(event);
    const picked = pickAt(this.scene, this.view, start.x, start.y);
    this.canvas.setPointerCapture(event.pointerId);
    this.drag = { start, last: start, picked, mode: dragMode(picked, event.shiftKey), moved: false };
    if (this.drag.mode === 'window') this.centreOn(overviewCycle(this.scene, start.x));
  }

  centreOn(cycle) {
    const half = (this.view.to - this.view.from) / 2;
    this.setWindow({ from: cycle - half, to: cycle + half });
  }

  move(event) {
    const at = this.place(event);
    if (this.drag) return this.dragTo(at);
    this.pointer = at;
    return this.refresh();
  }

  // What the pointer is at, found anew for every frame: the view moves under it, too.
  point() {
    const { x, y } = this.pointer;
    const picked = pickAt(this.scene, this.view, x, y);
    this.cursor = x >= GUTTER && y >= OVERVIEW ? cycleAt(this.scene, this.view, x) : null;
    this.canvas.style.cursor = cursorFor(picked);
    this.app.hoverThing(this, picked.hit ?? null, this.pointer);
  }

  // Until it moves again, the pointer is at nothing: keys or a drag move what is under it.
  forgetPointer() {
    if (!this.pointer) return;
    this.pointer = this.cursor = null;
    this.app.hoverThing(this, null, null);
    this.refresh();
  }

  dragTo(at) {
    const { drag } = this;
    if (Math.hypot(at.x - drag.start.x, at.y - drag.start.y) > CLICK) drag.moved = true;
    if (!drag.moved) return;
    this.forgetPointer();
    if (drag.mode === 'pan') {
      this.scrollTo(this.view.scroll - (at.y - drag.last.y));
      this.pan(-(at.x - drag.last.x) * cyclesPerPixel(this.scene, this.view));
    } else if (drag.mode === 'window') this.centreOn(overviewCycle(this.scene, at.x));
    else if (drag.mode === 'scroll') this.scrollTo(this.view.scroll + (at.y - drag.last.y) * scrollThumb(this.scene, this.view).pixels);
    else this.app.setRange(this, this.rangeBetween(drag, at));
    drag.last = at;
  }

  // Brushed: cycles on the ruler (or with shift on lanes), addresses beside memory, both with shift in memory.
  rangeBetween(drag, at) {
    const { cycles } = this.schedule;
    const clip = cycle => Math.round(Math.min(Math.max(cycle, 0), cycles));
    const times = [drag.start.x, at.x].map(x => clip(cycleAt(this.scene, this.view, Math.max(x, GUTTER)))).sort((a, b) => a - b);
    const range = drag.mode === 'addresses'
      ? { from: clip(this.view.from), to: clip(this.view.to) }
      : { from: times[0], to: times[1] };
    if (drag.mode === 'cycles') return range;
    const { band } = drag.picked;
    const top = HEAD + band.y - this.view.scroll;
    const inside = y => Math.min(Math.max(y, top), top + band.height);
    const ends = [drag.start.y, at.y].map(y => Math.round(addressAt(this.view, band, inside(y)))).sort((a, b) => a - b);
    return { ...range, memory: band.memory.name, low: ends[0], high: ends[1] };
  }

  up() {
    const { drag } = this;
    this.drag = null;
    if (!drag || drag.moved || drag.mode === 'window') return;
    if (drag.picked.region === 'lane' || drag.picked.region === 'memory' || drag.picked.region === 'none')
      this.app.selectThing(this, drag.picked.hit ?? null);
  }

  cancel() {
    this.drag = null;
  }

  leave() {
    if (!this.drag) this.forgetPointer();
  }

  doubleClick(event) {
    const { x, y } = this.place(event);
    const picked = pickAt(this.scene, this.view, x, y);
    if (picked.hit) this.app.zoomToThing(this, picked.hit);
    else if (picked.region === 'gutter' && picked.band?.kind === 'memory') this.setAddresses(picked.band.memory, 0, Infinity);
    else if (picked.region !== 'gutter') this.fit();
  }

  // ---- keys

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const run = TIMELINE_KEYS[event.key];
    if (!run) return;
    event.preventDefault();
    run(this, event.shiftKey ? 5 : 1);
  }

  // Zooms to the brush: cycles, and addresses where it has them.
  zoomToRange(range) {
    this.setWindow(range);
    if (range.memory) this.showAddresses([range]);
  }
}

const step = pane => PAN_STEP * (pane.view.to - pane.view.from);

const TIMELINE_KEYS = {
  ArrowLeft: (pane, times) => pane.pan(-step(pane) * times),
  ArrowRight: (pane, times) => pane.pan(step(pane) * times),
  ArrowUp: (pane, times) => pane.scrollTo(pane.view.scroll - 40 * times),
  ArrowDown: (pane, times) => pane.scrollTo(pane.view.scroll + 40 * times),
  PageUp: pane => pane.pan(-0.9 * (pane.view.to - pane.view.from)),
  PageDown: pane => pane.pan(0.9 * (pane.view.to - pane.view.from)),
  '+': pane => pane.zoom(1 / ZOOM_STEP),
  '=': pane => pane.zoom(1 / ZOOM_STEP),
  '-': pane => pane.zoom(ZOOM_STEP),
  _: pane => pane.zoom(ZOOM_STEP),
  Home: pane => pane.toStart(),
  End: pane => pane.toEnd(),
  0: pane => pane.fit(),
  n: pane => pane.app.step(pane, 1),
  p: pane => pane.app.step(pane, -1),
  Enter: pane => pane.app.zoomToSelection(pane),
  w: pane => pane.app.toCulprit(pane),
  b: pane => pane.app.brushSelection(pane),
};

function dragMode(picked, shift) {
  if (picked.region === 'overview') return 'window';
  if (picked.region === 'scrollbar') return 'scroll';
  if (picked.region === 'ruler') return 'cycles';
  if (picked.region === 'gutter') return picked.band?.kind === 'memory' ? 'addresses' : 'pan';
  if (!shift) return 'pan';
  return picked.region === 'memory' ? 'both' : 'cycles';
}

function cursorFor(picked) {
  if (picked.hit) return 'pointer';
  if (picked.region === 'ruler') return 'col-resize';
  if (picked.region === 'gutter') return picked.band?.kind === 'memory' ? 'row-resize' : 'default';
  return picked.region === 'overview' || picked.region === 'scrollbar' ? 'pointer' : 'grab';
}
