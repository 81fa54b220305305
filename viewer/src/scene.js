// Where everything is: lanes of resources above, lanes of memory below. No drawing and no DOM here, so that tests can ask it.

export const GUTTER = 148; // names of lanes
export const OVERVIEW = 40; // the whole kernel, small
export const RULER = 26;
export const HEAD = OVERVIEW + RULER;
export const SCROLLBAR = 9;

const TRACK_HEIGHTS = { most: 24, least: 13 };
const MEMORY_HEIGHTS = { most: 260, least: 76 };
const LANE_GAP = 4;
const MEMORY_GAP = 10;

function trackHeight(tracks, room) {
  const fair = tracks > 0 ? Math.floor((room * 0.5) / tracks) - LANE_GAP : TRACK_HEIGHTS.most;
  return Math.min(Math.max(fair, TRACK_HEIGHTS.least), TRACK_HEIGHTS.most);
}

// A lane of many tracks is at most about as high as two and a half others.
const thinner = (each, tracks) => (tracks > 2 ? Math.max(Math.floor((each * 2.5) / tracks), 6) : each);

function memoryHeight(memories, room) {
  if (memories === 0) return 0;
  return Math.min(Math.max(Math.floor(room / memories) - MEMORY_GAP, MEMORY_HEIGHTS.least), MEMORY_HEIGHTS.most);
}

// Lanes without any work take no room unless `idle` asks for them.
export function layOut(schedule, width, height, { idle = false, extent = schedule.cycles } = {}) {
  const room = Math.max(height - HEAD, 100);
  const lanes = schedule.lanes.filter(lane => idle || lane.tracks.length > 0);
  const each = trackHeight(lanes.reduce((sum, lane) => sum + Math.min(Math.max(lane.tracks.length, 1), 2.5), 0), room);
  const bands = [];
  let y = 6;
  for (const lane of lanes) {
    const part = thinner(each, lane.tracks.length);
    const size = part * Math.max(lane.tracks.length, 1);
    bands.push({ kind: 'lane', lane, y, height: size, each: part });
    y += size + LANE_GAP;
  }
  const size = memoryHeight(schedule.memories.length, room - y - MEMORY_GAP);
  y += MEMORY_GAP;
  for (const memory of schedule.memories) {
    bands.push({ kind: 'memory', memory, y, height: size });
    y += size + MEMORY_GAP;
  }
  const right = y > height - HEAD ? width - SCROLLBAR - 2 : width; // where cycles end: the scrollbar lies beside them
  return { schedule, extent, width, height, right, bands, content: y, hidden: schedule.lanes.length - lanes.length, laneBand: bandsOfLanes(bands) };
}

function bandsOfLanes(bands) {
  const out = new Map();
  for (const band of bands) if (band.kind === 'lane') out.set(band.lane.index, band);
  return out;
}

// ---- from view to pixels. A view: {from, to} cycles, scroll in pixels, addresses: Map memory -> {low, high} in its scale.

export const plotWidth = scene => Math.max(scene.right - GUTTER, 1);

export const cyclesPerPixel = (scene, view) => (view.to - view.from) / plotWidth(scene);

export const xOf = (scene, view, cycle) => GUTTER + ((cycle - view.from) / (view.to - view.from)) * plotWidth(scene);

export const cycleAt = (scene, view, x) => view.from + ((x - GUTTER) / plotWidth(scene)) * (view.to - view.from);

export const overviewX = (scene, cycle) => GUTTER + (cycle / Math.max(scene.extent, 1)) * plotWidth(scene);

export const overviewCycle = (scene, x) => ((x - GUTTER) / plotWidth(scene)) * scene.extent;

export const bandTop = (view, band) => HEAD + band.y - view.scroll;

export const mostScroll = scene => Math.max(scene.content - (scene.height - HEAD), 0);

export function addressWindow(view, memory) {
  return view.addresses.get(memory.name) ?? { low: 0, high: memory.scale.size };
}

// Low addresses are at the bottom.
export function yOfAddress(view, band, address) {
  const { low, high } = addressWindow(view, band.memory);
  return bandTop(view, band) + band.height * (1 - (band.memory.scale.place(address) - low) / (high - low));
}

export function addressAt(view, band, y) {
  const { low, high } = addressWindow(view, band.memory);
  return band.memory.scale.address(low + (1 - (y - bandTop(view, band)) / band.height) * (high - low));
}

export function tensorBox(scene, view, band, tensor) {
  const left = xOf(scene, view, tensor.from);
  const top = yOfAddress(view, band, tensor.address + tensor.bytes);
  return { x: left, y: top, width: xOf(scene, view, tensor.to) - left, height: yOfAddress(view, band, tensor.address) - top };
}

// The part of it that its band shows; where the addresses shown are others, the edge of the band that it lies behind.
export function shownTensorBox(scene, view, band, tensor) {
  const box = tensorBox(scene, view, band, tensor);
  const top = bandTop(view, band);
  const bottom = top + band.height;
  const inside = y => Math.min(Math.max(y, top), bottom);
  const y = inside(box.y);
  return { ...box, y, height: inside(box.y + box.height) - y, outside: box.y > bottom || box.y + box.height < top };
}

// Boxes of an operation on the lanes that it uses.
export function operationBoxes(scene, view, id) {
  const out = [];
  for (const [lane, from, to] of scene.schedule.operations[id].uses) {
    const band = scene.laneBand.get(lane);
    if (!band) continue;
    const row = Math.max(band.lane.tracks.findIndex(track => holds(track, from, id)), 0);
    const x = xOf(scene, view, from);
    out.push({ x, y: bandTop(view, band) + row * band.each, width: xOf(scene, view, to) - x, height: band.each, band });
  }
  return out;
}

function holds(track, from, id) {
  for (let i = track.lastAt(from); i >= 0 && track.from[i] === from; i--) if (track.id[i] === id) return true;
  return false;
}

// ---- labels

const LABEL_GAP = 8;

// Where the texts of ticks stand: {x, width} of each becomes the left edge of its text, or null. A text that would leave the ruler
// stands before its tick; what would lie on the text before it, or on `taken` (the cycle of the pointer), is left out.
export function rulerLabels(ticks, right, taken) {
  let free = GUTTER;
  return ticks.map(({ x, width }) => {
    const left = x + 4 + width <= right ? x + 4 : x - 4 - width;
    const isTaken = taken && left < taken.x + taken.width + LABEL_GAP && left + width + LABEL_GAP > taken.x;
    if (left < free || isTaken) return null;
    free = left + width + LABEL_GAP;
    return left;
  });
}

const LABEL_HEIGHT = 11;

// Addresses beside a lane of memory: its ends, then both sides of each break where there is room. [{y, address}]
export function addressLabels(view, band) {
  const { memory, height } = band;
  const { low, high } = addressWindow(view, memory);
  const top = bandTop(view, band);
  const yOf = place => top + height * (1 - (place - low) / (high - low));
  const out = [];
  const put = (y, address) => {
    const isFree = y > top + 5 && y < top + height - 5 && out.every(one => Math.abs(one.y - y) >= LABEL_HEIGHT);
    if (isFree) out.push({ y, address: Math.round(address) });
  };
  put(top + 6, memory.scale.address(high));
  put(top + height - 6, memory.scale.address(low));
  for (const gap of memory.scale.breaks) {
    put(yOf(gap.at + gap.size) - 5, gap.to);
    put(yOf(gap.at) + 5, gap.from);
  }
  return out;
}

// ---- what is under the pointer

const REACH = 3; // pixels beside a narrow operation that still mean it

export function bandAt(scene, view, y) {
  if (y < HEAD) return null;
  return scene.bands.find(band => y >= bandTop(view, band) && y < bandTop(view, band) + band.height) ?? null;
}

function pickOperation(scene, view, band, x, y) {
  const row = Math.floor((y - bandTop(view, band)) / band.each);
  const track = band.lane.tracks[row];
  const i = track ? track.pick(cycleAt(scene, view, x), REACH * cyclesPerPixel(scene, view)) : -1;
  return i >= 0 ? { kind: 'operation', id: track.id[i] } : null;
}

// The smallest box under the pointer: small tensors lie in front of large ones.
function pickTensor(scene, view, band, x, y) {
  const reach = REACH * cyclesPerPixel(scene, view);
  const at = cycleAt(scene, view, x);
  const lives = band.memory.lives;
  let best = null;
  lives.visit(at - reach, at + reach, i => {
    const box = tensorBox(scene, view, band, scene.schedule.tensors[lives.id[i]]);
    if (y < box.y - 1 || y > box.y + Math.max(box.height, 2) + 1) return;
    const size = Math.max(box.width, 1) * Math.max(box.height, 1);
    if (!best || size < best.size) best = { kind: 'tensor', id: lives.id[i], size };
  });
  return best && { kind: 'tensor', id: best.id };
}

// The bar at the right edge that scrolls lanes which do not fit; null: they fit.
export function scrollThumb(scene, view) {
  const most = mostScroll(scene);
  if (most === 0) return null;
  const room = scene.height - HEAD;
  const height = Math.max((room * room) / scene.content, 24);
  return { y: HEAD + ((room - height) * view.scroll) / most, height, pixels: most / (room - height) };
}

// {region: overview | ruler | gutter | lane | memory | scrollbar | none, band?, hit?}
export function pickAt(scene, view, x, y) {
  if (y < OVERVIEW) return { region: 'overview' };
  if (y < HEAD) return { region: 'ruler' };
  if (x >= scene.right && mostScroll(scene) > 0) return { region: 'scrollbar' };
  const band = bandAt(scene, view, y);
  if (x < GUTTER) return { region: 'gutter', band };
  if (!band) return { region: 'none' };
  const pick = band.kind === 'lane' ? pickOperation : pickTensor;
  return { region: band.kind, band, hit: pick(scene, view, band, x, y) };
}

// What a stretch of cycles holds, and addresses of a memory if `range` names one.
export function rangeFacts(schedule, range) {
  const lanes = schedule.lanes.map(lane => {
    const busy = lane.tracks.reduce((sum, track) => sum + track.busyBetween(range.from, range.to), 0);
    return { lane, busy: busy / Math.max(lane.tracks.length, 1) };
  });
  const tensors = tensorsIn(schedule, range);
  return { operations: range.memory ? touching(schedule, tensors, range) : operationsIn(schedule, range), lanes, tensors };
}

function tensorsIn(schedule, range) {
  const out = [];
  for (const memory of schedule.memories) {
    if (range.memory && memory.name !== range.memory) continue;
    memory.lives.visit(range.from, range.to, i => {
      const tensor = schedule.tensors[memory.lives.id[i]];
      if (!range.memory || (tensor.address < range.high && tensor.address + tensor.bytes > range.low)) out.push(memory.lives.id[i]);
    });
  }
  return out;
}

// Operations of several lanes are met several times and stand in the list once.
function operationsIn(schedule, range) {
  const met = new Uint8Array(schedule.operations.length);
  for (const lane of schedule.lanes)
    for (const track of lane.tracks) track.visit(range.from, range.to, i => { met[track.id[i]] = 1; });
  return marked(met);
}

// Those of the stretch that write or read one of `tensors`.
function touching(schedule, tensors, range) {
  const met = new Uint8Array(schedule.operations.length);
  const meet = id => {
    const { begin, end } = schedule.operations[id];
    if (begin < range.to && end > range.from) met[id] = 1;
  };
  for (const id of tensors) {
    const { writer, readers } = schedule.tensors[id];
    if (writer >= 0) meet(writer);
    readers.forEach(meet);
  }
  return marked(met);
}

function marked(marks) {
  const out = [];
  for (let i = 0; i < marks.length; i++) if (marks[i]) out.push(i);
  return out;
}
