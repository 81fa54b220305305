// Draws a scene. What is narrower than a pixel is not drawn one by one: lanes show per column how much of it is busy, memory
// shows per pixel how much of it is taken. So a frame costs about the same for 50 operations and for 50,000.
import { GUTTER, OVERVIEW, HEAD, bandTop, xOf, addressLabels, addressWindow, cyclesPerPixel, plotWidth, overviewX, rulerLabels, scrollThumb, SCROLLBAR } from './scene.js';
import { ticks } from './scale.js';
import { count, hex, percent, sizeText } from './format.js';
import { categoryColour, channels, tintOf } from './palette.js';
import { tensorName } from './document.js';

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const DIM = 0.16;
const NARROW = 3; // pixels: tensors that live no longer are drawn together

export class Painter {
  constructor(context) {
    this.context = context;
    this.share = new Float64Array(0);
    this.witness = new Int32Array(0);
    this.widthsOf = new Map(); // of texts, by font
    this.density = new Density();
    this.strip = new Pixels();
    this.small = null; // the overview, painted when it changes
  }

  // frame: {scene, view, palette, colours, marks (operations to stress, or null), tensorMarks, cursor (cycle of the pointer, or null)}
  begin(frame, ratio) {
    Object.assign(this, frame);
    const { context, scene } = this;
    if (this.share.length < scene.width) {
      this.share = new Float64Array(scene.width);
      this.witness = new Int32Array(scene.width);
    }
    this.inks = Array.from({ length: 10 }, (_, i) => inkOf(categoryColour(this.palette, i)));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = this.palette.ground;
    context.fillRect(0, 0, scene.width, scene.height);
    context.textBaseline = 'middle';
  }

  all() {
    const { context, scene, view } = this;
    context.save();
    this.clip(0, HEAD, scene.width, scene.height - HEAD);
    this.grid();
    for (const band of scene.bands) {
      const top = bandTop(view, band);
      if (top + band.height < HEAD || top > scene.height) continue;
      if (band.kind === 'lane') this.lane(band, top);
      else this.memory(band, top);
    }
    this.scrollbar();
    context.restore();
    this.ruler();
    this.overview();
  }

  scrollbar() {
    const { context, scene, view, palette } = this;
    const thumb = scrollThumb(scene, view);
    if (!thumb) return;
    context.globalAlpha = 0.55;
    context.fillStyle = palette.muted;
    context.beginPath();
    context.roundRect(scene.width - SCROLLBAR, thumb.y + 2, SCROLLBAR - 3, thumb.height - 4, 3);
    context.fill();
    context.globalAlpha = 1;
  }

  clip(x, y, width, height) {
    this.context.beginPath();
    this.context.rect(x, y, width, height);
    this.context.clip();
  }

  // ---- text, cut to the room it has; widths are measured once

  font(size, weight = 400) {
    this.context.font = `${weight} ${size}px ${FONT}`;
    const key = weight * 100 + size;
    this.widths = this.widthsOf.get(key) ?? new Map();
    this.widthsOf.set(key, this.widths);
  }

  textWidth(text) {
    let width = this.widths.get(text);
    if (width === undefined) {
      if (this.widths.size > 5000) this.widths.clear();
      width = this.context.measureText(text).width;
      this.widths.set(text, width);
    }
    return width;
  }

  // The first of `texts` that fits; nothing if none does.
  label(texts, x, y, room) {
    const text = texts.find(candidate => this.textWidth(candidate) <= room);
    if (text) this.context.fillText(text, x, y);
  }

  // ---- axes

  ticks() {
    return ticks(Math.max(this.view.from, 0), Math.min(this.view.to, this.scene.extent), plotWidth(this.scene) / 110);
  }

  grid() {
    const { context, scene, view, palette } = this;
    context.fillStyle = palette.faint;
    for (const cycle of this.ticks().at) context.fillRect(Math.round(xOf(scene, view, cycle)), HEAD, 1, scene.height);
  }

  ruler() {
    const { context, scene, view, palette } = this;
    context.fillStyle = palette.raised;
    context.fillRect(0, OVERVIEW, scene.width, HEAD - OVERVIEW);
    context.fillStyle = palette.line;
    context.fillRect(0, HEAD - 1, scene.width, 1);
    this.font(11);
    context.fillStyle = palette.muted;
    context.fillText('cycles', 14, (OVERVIEW + HEAD) / 2);
    const marks = this.ticks().at.map(cycle => ({ text: count(cycle), x: xOf(scene, view, cycle), width: this.textWidth(count(cycle)) })).filter(mark => mark.x >= GUTTER - 1);
    const pointer = this.pointerMark();
    context.fillStyle = palette.line;
    for (const mark of marks) context.fillRect(Math.round(mark.x), HEAD - 7, 1, 6);
    this.font(11);
    context.fillStyle = palette.muted;
    rulerLabels(marks, scene.width, pointer).forEach((left, i) => {
      if (left !== null) context.fillText(marks[i].text, left, (OVERVIEW + HEAD) / 2 - 1);
    });
    if (pointer) this.showPointer(pointer);
  }

  // Where the cycle under the pointer stands on the ruler; null: it is at none.
  pointerMark() {
    const { scene, view, cursor } = this;
    if (cursor === null || cursor === undefined || cursor < 0 || cursor > scene.extent) return null;
    const text = count(Math.floor(cursor));
    this.font(11, 500);
    const width = this.textWidth(text) + 10;
    return { text, width, x: Math.min(Math.max(xOf(scene, view, cursor) - width / 2, GUTTER), scene.width - width) };
  }

  showPointer({ text, x, width }) {
    const { context, palette } = this;
    this.font(11, 500);
    context.fillStyle = palette.text;
    context.beginPath();
    context.roundRect(x, OVERVIEW + 4, width, HEAD - OVERVIEW - 8, 4);
    context.fill();
    context.fillStyle = palette.ground;
    context.fillText(text, x + 5, (OVERVIEW + HEAD) / 2 + 0.5);
  }

  // The whole kernel: a line per lane, and the window that is shown below.
  overview() {
    const { context, scene, view, palette } = this;
    context.drawImage(this.smallPicture(), 0, 0, scene.width, OVERVIEW);
    this.font(11);
    context.fillStyle = palette.muted;
    context.fillText('overview', 14, OVERVIEW / 2);
    const left = Math.max(overviewX(scene, view.from), GUTTER);
    const right = Math.min(overviewX(scene, view.to), scene.right);
    context.globalAlpha = 0.62;
    context.fillStyle = palette.raised;
    context.fillRect(GUTTER, 0, left - GUTTER, OVERVIEW);
    context.fillRect(right, 0, scene.width - right, OVERVIEW);
    context.globalAlpha = 1;
    context.strokeStyle = palette.accent;
    context.lineWidth = 1.5;
    context.strokeRect(left + 0.75, 1, Math.max(right - left - 1.5, 3), OVERVIEW - 2);
  }

  smallPicture() {
    const { scene, palette, marks } = this;
    if (this.small?.scene === scene && this.small.palette === palette && this.small.faint === Boolean(marks)) return this.small.canvas;
    const canvas = new OffscreenCanvas(Math.ceil(scene.width), OVERVIEW);
    const context = canvas.getContext('2d', { alpha: false });
    context.fillStyle = palette.raised;
    context.fillRect(0, 0, scene.width, OVERVIEW);
    const lanes = scene.bands.filter(band => band.kind === 'lane');
    const each = Math.max((OVERVIEW - 10) / Math.max(lanes.length, 1), 1);
    const whole = { from: 0, to: Math.max(scene.extent, 1) };
    lanes.forEach((band, i) => {
      for (const track of band.lane.tracks)
        this.columns(track, whole, 5 + i * each, Math.max(each - 0.5, 0.75), palette[band.lane.kind], marks ? 0.4 : 1, null, context);
    });
    this.small = { scene, palette, faint: Boolean(marks), canvas };
    return canvas;
  }

  // ---- lanes

  lane(band, top) {
    const { context, scene, palette } = this;
    context.fillStyle = palette.lane;
    context.fillRect(GUTTER, top, plotWidth(scene), band.height);
    context.save();
    this.clip(GUTTER, HEAD, plotWidth(scene), scene.height);
    band.lane.tracks.forEach((track, row) => {
      const y = top + row * band.each;
      this.track(track, y, band, this.marks ? DIM : 1);
      if (this.marks) this.track(this.stressed(track), y, band, 1);
    });
    context.restore();
    this.laneName(band, top);
  }

  laneName(band, top) {
    const { context, scene, palette } = this;
    context.fillStyle = palette[band.lane.kind];
    context.fillRect(0, top, 4, band.height);
    this.font(12, 500);
    context.fillStyle = palette.text;
    const middle = top + band.height / 2;
    this.label([band.lane.name], 14, middle, GUTTER - 64);
    this.font(10.5);
    context.fillStyle = palette.muted;
    context.textAlign = 'right';
    context.fillText(percent(band.lane.busy / Math.max(scene.schedule.cycles, 1)), GUTTER - 8, middle);
    context.textAlign = 'left';
  }

  // The marked part of a track, kept until the marks change.
  stressed(track) {
    if (track.markedBy !== this.marks) {
      track.markedBy = this.marks;
      track.marked = track.filter(this.marks);
    }
    return track.marked;
  }

  track(track, y, band, alpha) {
    const { scene, view } = this;
    const height = band.each - 1;
    if (track.within(view.from, view.to) > plotWidth(scene) / 2)
      this.columns(track, view, y, height, this.palette[band.lane.kind], alpha, this.colours);
    else this.boxes(track, y, height, band, alpha);
  }

  fillOf(id, band) {
    return this.colours ? categoryColour(this.palette, this.colours.index[id]) : this.palette[band.lane.kind];
  }

  boxes(track, y, height, band, alpha) {
    const { context, scene, view } = this;
    context.globalAlpha = alpha;
    track.visit(view.from, view.to, i => {
      const x = xOf(scene, view, track.from[i]);
      const width = xOf(scene, view, track.to[i]) - x;
      context.fillStyle = this.fillOf(track.id[i], band);
      if (width > 3) this.box(x, y, width - 1, height, track.id[i], alpha);
      else context.fillRect(x, y, Math.max(width, 1), height);
    });
    context.globalAlpha = 1;
  }

  box(x, y, width, height, id, alpha) {
    const { context, scene, palette } = this;
    const left = Math.max(x, GUTTER - 4);
    const right = Math.min(x + width, scene.right + 4);
    context.beginPath();
    context.roundRect(left, y, right - left, height, Math.min(3, width / 3));
    context.fill();
    if (right - left < 26 || height < 12 || alpha < 1) return;
    const operation = scene.schedule.operations[id];
    const from = Math.max(x, GUTTER);
    this.font(Math.min(11, height - 3), 500);
    context.fillStyle = palette.onfill;
    const line = operation.line > 0 ? `  :${operation.line}` : '';
    this.label([`${operation.method}${line}`, operation.method], from + 5, y + height / 2 + 0.5, right - from - 8);
  }

  // A track by columns of a pixel: the busier, the fuller the colour. One picture of one line, drawn as high as the track is,
  // takes a fraction of what a rectangle for each column would.
  columns(track, window, y, height, colour, alpha, colours = null, context = this.context) {
    const width = Math.ceil(plotWidth(this.scene));
    const step = (window.to - window.from) / plotWidth(this.scene);
    track.columns(window.from, step, width, this.share, this.witness);
    const pixels = this.strip.begin(width, 1);
    const inks = colours ? this.inks : null;
    const ink = inkOf(colour);
    for (let x = 0; x < width; x++) {
      const share = this.share[x];
      if (!(share > 0)) continue;
      const own = inks ? inks[colours.index[track.id[this.witness[x]]]] : ink;
      pixels[x] = withAlpha(own, alpha * (0.25 + 0.75 * Math.min(share, 1)));
    }
    this.strip.show(context, GUTTER, y, height);
  }

  // ---- memory

  memory(band, top) {
    const { context, scene } = this;
    context.fillStyle = this.palette.lane;
    context.fillRect(GUTTER, top, plotWidth(scene), band.height);
    context.save();
    this.clip(GUTTER, Math.max(top, HEAD), plotWidth(scene), band.height);
    this.breaks(band, top);
    this.tensors(band, top);
    context.restore();
    this.memoryName(band, top);
  }

  // Where addresses are left out.
  breaks(band, top) {
    const { context, scene, view, palette } = this;
    const { low, high } = addressWindow(view, band.memory);
    const yOf = place => top + band.height * (1 - (place - low) / (high - low));
    context.fillStyle = palette.ground;
    for (const gap of band.memory.scale.breaks)
      context.fillRect(GUTTER, yOf(gap.at + gap.size), plotWidth(scene), yOf(gap.at) - yOf(gap.at + gap.size));
  }

  tensors(band, top) {
    const { scene, view, tensorMarks } = this;
    const { lives, lowest, highest } = band.memory;
    const pixel = cyclesPerPixel(scene, view);
    const tiny = this.densityFor(band);
    const { low, high } = addressWindow(view, band.memory);
    const slope = band.height / (high - low);
    const bottom = top + band.height;
    lives.visit(view.from, view.to, i => {
      const id = lives.id[i];
      const upper = bottom - (highest[i] - low) * slope;
      const lower = bottom - (lowest[i] - low) * slope;
      if (lower < top || upper > top + band.height) return;
      const alpha = tensorMarks && !tensorMarks[id] ? 0.25 : 1;
      const width = (lives.to[i] - lives.from[i]) / pixel;
      if (width < NARROW) tiny.add((lives.from[i] - view.from) / pixel, width, upper - top, lower - top, alpha);
      else this.tensor(id, xOf(scene, view, lives.from[i]), upper, width, lower - upper, alpha);
    });
    if (tiny.used) tiny.show(this.context, top, this.palette.muted);
  }

  densityFor(band) {
    const width = Math.ceil(plotWidth(this.scene));
    this.density.begin(width, band.height);
    return this.density;
  }

  tensor(id, x, y, width, height, alpha) {
    const { context, scene, palette } = this;
    const tensor = scene.schedule.tensors[id];
    const left = Math.max(x, GUTTER - 2);
    const right = Math.min(x + width, scene.right + 2);
    const colour = palette[`c${tintOf(tensor.name)}`];
    const tall = Math.max(height, 2.5);
    context.fillStyle = colour;
    context.globalAlpha = alpha * 0.34;
    context.fillRect(left, y, right - left, tall);
    context.globalAlpha = alpha * 0.9;
    if (tall < 5 || right - left < 4) context.fillRect(left, y, right - left, Math.min(tall, 2.5));
    else {
      context.strokeStyle = colour;
      context.lineWidth = 1;
      context.strokeRect(left + 0.5, y + 0.5, right - left - 1, tall - 1);
    }
    if (tall >= 12 && right - left > 24) this.tensorLabel(id, Math.max(x, GUTTER) + 5, y + Math.min(tall / 2, 9), right);
    context.globalAlpha = 1;
  }

  tensorLabel(id, x, y, right) {
    const { context, scene, palette } = this;
    const tensor = scene.schedule.tensors[id];
    const name = tensorName(scene.schedule, id);
    this.font(10.5, 500);
    context.fillStyle = palette.text;
    this.label([`${name}  ${tensor.type ?? ''}  ${sizeText(tensor.bytes)}`, name], x, y, right - x - 4);
  }

  memoryName(band, top) {
    const { context, view, palette } = this;
    const { memory } = band;
    this.font(12, 600);
    context.fillStyle = palette.text;
    context.fillText(memory.name, 14, top + band.height / 2 - 7);
    this.font(10.5);
    context.fillStyle = palette.muted;
    context.fillText(`peak ${sizeText(memory.peak)}`, 14, top + band.height / 2 + 8);
    context.textAlign = 'right';
    this.font(9.5);
    for (const { y, address } of addressLabels(view, band)) context.fillText(hex(address), GUTTER - 6, y);
    context.textAlign = 'left';
    context.fillStyle = palette.line;
    context.fillRect(GUTTER - 1, top, 1, band.height);
  }
}

// ---- pictures made pixel by pixel

// A colour as the bytes of a pixel lie in memory, red first; the alpha is still to come.
function inkOf(colour) {
  const [red, green, blue] = channels(colour);
  return (blue << 16) | (green << 8) | red;
}

const withAlpha = (ink, alpha) => ((Math.round(alpha * 255) << 24) | ink) >>> 0;

class Pixels {
  // `width` x `height` empty pixels to write into.
  begin(width, height) {
    if (this.image?.width !== width || this.image.height !== height) {
      this.canvas = new OffscreenCanvas(width, height);
      this.context = this.canvas.getContext('2d', { willReadFrequently: true });
      this.image = this.context.createImageData(width, height);
      this.data = new Uint32Array(this.image.data.buffer);
    } else this.data.fill(0);
    return this.data;
  }

  show(context, x, y, height) {
    this.context.putImageData(this.image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.canvas, 0, 0, this.image.width, this.image.height, x, y, this.image.width, height);
  }
}

// Tensors that live for a few pixels at most: how much of each pixel they take, together. What is added to a column is noted at
// its first and behind its last pixel and summed up in the end, so tall ones cost no more than others.
class Density {
  constructor() {
    this.pixels = new Pixels();
    this.change = new Float32Array(0);
    this.cover = new Float32Array(0); // of the line that is summed up
  }

  begin(width, height) {
    this.width = width;
    this.height = Math.ceil(height);
    this.used = false;
    const size = width * (this.height + 1);
    if (this.change.length < size) this.change = new Float32Array(size);
    if (this.cover.length < width) this.cover = new Float32Array(width);
  }

  add(x, width, upper, lower, alpha) {
    if (!this.used) this.change.fill(0);
    this.used = true;
    const first = Math.max(Math.floor(upper), 0);
    const end = Math.min(Math.max(Math.ceil(lower), first + 1), this.height);
    if (first >= end) return;
    const right = Math.min(x + Math.max(width, THIN), this.width);
    for (let column = Math.max(Math.floor(x), 0); column < right; column++) {
      const part = Math.max(Math.min(x + width, column + 1) - Math.max(x, column), THIN) * alpha;
      this.change[first * this.width + column] += part;
      this.change[end * this.width + column] -= part;
    }
  }

  show(context, top, colour) {
    const data = this.pixels.begin(this.width, this.height);
    const ink = inkOf(colour);
    const inks = Uint32Array.from({ length: LEVELS + 1 }, (_, level) => withAlpha(ink, 0.2 + (0.65 * level) / LEVELS));
    const { width, cover, change } = this;
    cover.fill(0);
    for (let i = 0, x = 0; i < data.length; i++, x = x + 1 === width ? 0 : x + 1) {
      const now = (cover[x] += change[i]);
      if (now > NOTHING) data[i] = inks[now >= 1 ? LEVELS : (now * LEVELS) | 0];
    }
    this.pixels.show(context, GUTTER, top, this.height);
  }
}

const LEVELS = 32; // of fullness
const NOTHING = 0.001; // what rounding leaves of a sum
const THIN = 0.05; // of a pixel: even the shortest life leaves a trace
