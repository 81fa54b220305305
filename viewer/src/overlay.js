// What lies over the lanes: the selection with arrows to its tensors and its culprit, the critical path, brushes.
import { GUTTER, HEAD, operationBoxes, plotWidth, shownTensorBox, xOf, yOfAddress } from './scene.js';

const MOST_ARROWS = 40;
const MOST_TWINS = 400;
const APART = 9; // pixels
const STROKE = 5; // pixels that an operation of the critical path needs for a line through it

export class Overlay {
  constructor(context) {
    this.context = context;
  }

  // frame: as of the painter, with {selection, hover, range, cursor, twins, critical}
  draw(frame) {
    Object.assign(this, frame);
    const { context, scene } = this;
    context.save();
    context.beginPath();
    context.rect(GUTTER, HEAD, plotWidth(scene), scene.height - HEAD);
    context.clip();
    this.brush();
    if (this.critical) this.criticalPath();
    this.twinBoxes();
    if (this.hover && !same(this.hover, this.selection)) this.stress(this.hover, 1.5);
    if (this.selection) this.stress(this.selection, 2.5);
    this.crosshair();
    context.restore();
  }

  brush() {
    const { context, scene, view, palette, range } = this;
    if (!range) return;
    const left = xOf(scene, view, range.from);
    const right = xOf(scene, view, range.to);
    const band = scene.bands.find(one => one.kind === 'memory' && one.memory.name === range.memory);
    const top = band ? yOfAddress(view, band, range.high) : HEAD;
    const bottom = band ? yOfAddress(view, band, range.low) : scene.height;
    context.globalAlpha = 0.14;
    context.fillStyle = palette.accent;
    context.fillRect(left, top, right - left, bottom - top);
    context.globalAlpha = 1;
    context.strokeStyle = palette.accent;
    context.lineWidth = 1;
    context.strokeRect(left + 0.5, top - 0.5, right - left, bottom - top + 1);
  }

  crosshair() {
    const { context, scene, view, palette, cursor } = this;
    if (cursor === null || cursor === undefined) return;
    context.globalAlpha = 0.5;
    context.fillStyle = palette.muted;
    context.fillRect(Math.round(xOf(scene, view, cursor)), HEAD, 1, scene.height);
    context.globalAlpha = 1;
  }

  // ---- boxes

  operationBoxes(id) {
    return operationBoxes(this.scene, this.view, id);
  }

  tensorBox(id) {
    const tensor = this.scene.schedule.tensors[id];
    const band = this.scene.bands.find(one => one.kind === 'memory' && one.memory.name === tensor.memory);
    return band && tensor.address >= 0 ? shownTensorBox(this.scene, this.view, band, tensor) : null;
  }

  boxesOf(thing) {
    if (thing.kind === 'operation') return this.operationBoxes(thing.id);
    const box = this.tensorBox(thing.id);
    return box ? [box] : [];
  }

  outline(box, colour, width) {
    if (box.outside) return;
    const { context, scene } = this;
    const left = Math.max(box.x, GUTTER - 3);
    const right = Math.min(box.x + Math.max(box.width, 2), scene.right + 3);
    if (right < left) return;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.roundRect(left - 1, box.y - 1, right - left + 1, Math.max(box.height, 2) + 1, 3);
    context.stroke();
  }

  outlineOf(thing, colour, width) {
    for (const box of this.boxesOf(thing)) this.outline(box, colour, width);
  }

  // Operations of the same source line as the one selected in the other schedule.
  twinBoxes() {
    this.context.setLineDash([4, 2]);
    const shown = this.twins.filter(id => this.isInSight(this.scene.schedule.operations[id]));
    for (const id of shown.slice(0, MOST_TWINS)) this.outlineOf({ kind: 'operation', id }, this.palette.text, 2);
    this.context.setLineDash([]);
  }

  // Boxes are made anew for each arrow: the one that is stressed is known by its place.
  isOwn(box) {
    return this.own.some(own => own.x === box.x && own.y === box.y && own.width === box.width);
  }

  // ---- arrows

  // What is selected or pointed at, with what it reads, writes and waited for.
  stress(thing, width) {
    const { schedule } = this.scene;
    this.outlineOf(thing, this.palette.text, width);
    this.own = this.boxesOf(thing);
    if (thing.kind === 'operation') this.aroundOperation(schedule.operations[thing.id], thing.id);
    else this.aroundTensor(schedule.tensors[thing.id], thing.id);
  }

  aroundOperation(operation, id) {
    const home = this.operationBoxes(id)[0];
    if (!home) return;
    const { read, write, wait } = this.palette;
    operation.reads.slice(0, MOST_ARROWS).forEach((tensor, i) => this.link(this.tensorBox(tensor), home, read, 'use', i));
    if (operation.writes >= 0) this.link(home, this.tensorBox(operation.writes), write, 'make');
    const culprit = operation.waits[0]?.operation ?? -1;
    if (culprit >= 0) this.link(this.operationBoxes(culprit)[0], home, wait, 'follow');
  }

  aroundTensor(tensor, id) {
    const box = this.tensorBox(id);
    if (!box) return;
    if (tensor.writer >= 0) this.link(this.operationBoxes(tensor.writer)[0], box, this.palette.write, 'make');
    for (const reader of tensor.readers.slice(0, MOST_ARROWS))
      this.link(box, this.operationBoxes(reader)[0], this.palette.read, 'use');
  }

  // use: a tensor flows into an operation, make: out of it, follow: an operation after another.
  link(from, to, colour, kind, turn = 0) {
    if (!from || !to) return;
    const { context } = this;
    for (const box of [from, to]) if (!this.isOwn(box)) this.outline(box, colour, 1.75);
    const [start, end] = ends(from, to, kind, turn);
    const lean = (start.y < end.y ? 1 : -1) * Math.min(Math.abs(end.y - start.y) * 0.5 + 10, 120);
    context.strokeStyle = colour;
    context.fillStyle = colour;
    context.lineWidth = 1.75;
    context.setLineDash(kind === 'follow' ? [4, 3] : []);
    context.beginPath();
    context.moveTo(start.x, start.y);
    context.bezierCurveTo(start.x, start.y + lean, end.x, end.y - lean, end.x, end.y);
    context.stroke();
    context.setLineDash([]);
    this.head(end, start.y < end.y ? 1 : -1);
  }

  head(end, down) {
    const { context } = this;
    context.beginPath();
    context.moveTo(end.x, end.y);
    context.lineTo(end.x - 4, end.y - 7 * down);
    context.lineTo(end.x + 4, end.y - 7 * down);
    context.fill();
  }

  // A line through the operations of the path. Where it would go up and down every few pixels it says nothing: then that they
  // stand out has to do.
  criticalPath() {
    const shown = this.scene.schedule.critical.filter(id => this.isInSight(this.scene.schedule.operations[id]));
    if (shown.length < this.scene.width / STROKE) this.strokePath(shown);
  }

  isInSight(operation) {
    return operation.end >= this.view.from && operation.begin <= this.view.to;
  }

  strokePath(path) {
    const { context, scene, palette } = this;
    context.strokeStyle = palette.critical;
    context.lineWidth = 2;
    context.beginPath();
    let started = false;
    for (const id of path) {
      const right = xOf(scene, this.view, scene.schedule.operations[id].end);
      const box = this.operationBoxes(id)[0];
      if (!box) continue;
      const y = box.y + box.height - 2;
      if (started) context.lineTo(box.x, y);
      else context.moveTo(box.x, y);
      context.lineTo(right, y);
      started = true;
    }
    context.stroke();
  }
}

const same = (a, b) => Boolean(a && b && a.kind === b.kind && a.id === b.id);

// Arrows leave and enter at the edges that face each other, at the time when bytes move; several into one stand apart.
function ends(from, to, kind, turn) {
  const below = to.y > from.y;
  const startX = kind === 'use' ? Math.min(Math.max(to.x + 3 + turn * APART, from.x), from.x + from.width) : from.x + from.width - 2;
  const endX = kind === 'make' ? Math.min(Math.max(startX, to.x + 2), to.x + Math.max(to.width, 2)) : to.x + 3 + Math.min(turn * APART, Math.max(to.width - 6, 0));
  return [
    { x: startX, y: below ? from.y + from.height : from.y },
    { x: endX, y: below ? to.y : to.y + to.height },
  ];
}
