// Reads a schedule (docs/schedule.md) and checks all of it, so that everything behind can rely on it. What is wrong is said
// with its place in the document: operations[12].uses[0][0]: there is no lane 40.
import { Intervals, packTracks } from './intervals.js';
import { AddressScale } from './scale.js';
import { inferAxes } from './mapping.js';
import { sizeText } from './format.js';

export class ScheduleError extends Error {}

const FORMAT = 'contra-schedule';
const VERSIONS = [1, 2]; // that it reads: of 1, operations share nothing
const MOST_TRACKS = 6; // of one lane: more at a time than that are drawn over each other
const LANE_KINDS = ['dma', 'pcie', 'main', 'sub', 'vector', 'hbm'];
const MEMORIES = ['DM', 'TRF', 'VRF', 'SPM', 'HBM', 'host'];

// ---- checks: each returns what it checked, or refuses

function refuse(where, what) {
  throw new ScheduleError(`${where}: ${what}`);
}

function checkNumber(value, where) {
  return typeof value === 'number' && Number.isFinite(value) ? value : refuse(where, 'a number is missing here');
}

function checkText(value, where) {
  return typeof value === 'string' ? value : refuse(where, 'a text is missing here');
}

function checkObject(value, where) {
  const is = value !== null && typeof value === 'object' && !Array.isArray(value);
  return is ? value : refuse(where, 'an object is missing here');
}

// A list that is absent is empty.
function checkList(value, where) {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : refuse(where, 'a list is missing here');
}

function checkIndex(value, size, what, where) {
  const is = Number.isInteger(value) && value >= 0 && value < size;
  return is ? value : refuse(where, `there is no ${what} ${JSON.stringify(value)}`);
}

const checkIndexOrNone = (value, size, what, where) =>
  value === -1 || value === undefined ? -1 : checkIndex(value, size, what, where);

function checkInterval(from, to, where) {
  checkNumber(from, where);
  checkNumber(to, where);
  if (from < 0 || to < from) refuse(where, `from ${from} to ${to} is no interval of cycles`);
}

// ---- parts of the document

function checkHeader(doc) {
  checkObject(doc, 'the document');
  if (doc.format !== FORMAT)
    refuse('format', `this is JSON, but no schedule: "${FORMAT}" is expected, as contra schedule --json writes it`);
  if (!VERSIONS.includes(doc.version))
    refuse('version', `${JSON.stringify(doc.version)}; this page reads version ${VERSIONS.at(-1)}. Open the file with the contra that wrote it`);
  checkNumber(doc.cycles, 'cycles');
  if (doc.cycles < 0) refuse('cycles', 'a kernel takes no less than 0');
  for (const name of ['kernel', 'machine', 'cost']) checkText(doc[name] ?? '', name);
}

function checkLanes(doc) {
  return checkList(doc.lanes, 'lanes').map((lane, i) => {
    const where = `lanes[${i}]`;
    checkObject(lane, where);
    if (!LANE_KINDS.includes(lane.kind)) refuse(`${where}.kind`, `there is no kind of lane ${JSON.stringify(lane.kind)}`);
    return { index: i, kind: lane.kind, name: checkText(lane.name, `${where}.name`), busy: checkNumber(lane.busy ?? 0, `${where}.busy`) };
  });
}

// A text of several lines is a list of texts, one a line.
function checkTexts(doc, name) {
  const texts = checkList(doc[name], name);
  const line = (index, where) => checkText(texts[checkIndex(index, texts.length, 'text', where)], where);
  return texts.map((text, i) => {
    const where = `${name}[${i}]`;
    return Array.isArray(text) ? text.map(index => line(index, where)).join('\n') : checkText(text, where);
  });
}

// [lane, from, to, lanes]: so many lanes that follow each other; one, where it does not say.
function checkUses(operation, lanes, where) {
  const uses = [];
  for (const [i, use] of operation.uses.entries()) {
    const at = `${where}.uses[${i}]`;
    if (!Array.isArray(use)) refuse(at, 'a list [lane, from, to] is missing here');
    const [lane, from, to, count = 1] = use;
    if (!Number.isInteger(count) || count < 1) refuse(at, `${JSON.stringify(count)} is no number of lanes`);
    checkIndex(lane, lanes.length, 'lane', at);
    checkIndex(lane + count - 1, lanes.length, 'lane', at);
    checkInterval(from, to, at);
    for (let k = 0; k < count; k++) uses.push([lane + k, from, to]);
  }
  operation.uses = uses;
}

function checkWaits(operation, operations, where) {
  for (const [i, wait] of operation.waits.entries()) {
    const at = `${where}.waits[${i}]`;
    checkObject(wait, at);
    checkText(wait.kind, `${at}.kind`);
    checkNumber(wait.until, `${at}.until`);
    wait.operation = checkIndexOrNone(wait.operation, operations, 'operation', `${at}.operation`);
    wait.lane ??= -1;
  }
}

function checkCost(cost, where) {
  checkObject(cost, where);
  checkNumber(cost.cycles, `${where}.cycles`);
  cost.parts = checkList(cost.parts, `${where}.parts`);
  for (const [j, part] of cost.parts.entries()) {
    checkText(checkObject(part, `${where}.parts[${j}]`).part, `${where}.parts[${j}].part`);
    checkNumber(part.busy, `${where}.parts[${j}].busy`);
    part.latency = checkNumber(part.latency ?? 0, `${where}.parts[${j}].latency`);
  }
  return cost;
}

function checkCosts(doc) {
  const costs = checkList(doc.costs, 'costs');
  costs.forEach((cost, i) => checkCost(cost, `costs[${i}]`));
  return costs;
}

// What an operation has in common with others, or has for itself alone.
function checkShared(one, known, where) {
  checkText(one.method, `${where}.method`);
  one.context = checkText(one.context ?? '', `${where}.context`);
  one.bound = checkText(one.bound ?? '', `${where}.bound`);
  one.file = checkIndexOrNone(one.file, known.files.length, 'file', `${where}.file`);
  one.line = checkNumber(one.line ?? 0, `${where}.line`);
  one.source = checkIndexOrNone(one.source, known.texts.length, 'text', `${where}.source`);
  one.hints = checkList(one.hints, `${where}.hints`);
  for (const hint of one.hints) checkIndex(hint, known.texts.length, 'text', `${where}.hints`);
  one.commands = checkList(one.commands, `${where}.commands`).map((command, i) => {
    const at = `${where}.commands[${i}]`;
    return typeof command === 'number' ? known.costs[checkIndex(command, known.costs.length, 'cost', at)] : checkCost(command, at);
  });
}

function checkKinds(doc, known) {
  const kinds = checkList(doc.kinds, 'kinds');
  kinds.forEach((kind, i) => checkShared(checkObject(kind, `kinds[${i}]`), known, `kinds[${i}]`));
  return kinds;
}

const SHARED = ['method', 'context', 'bound', 'file', 'line', 'source', 'hints', 'commands', 'bytes', 'macs'];

function checkOperation(operation, i, known) {
  const where = `operations[${i}]`;
  checkObject(operation, where);
  if (operation.kind === undefined) {
    checkShared(operation, known, where);
  } else {
    const kind = known.kinds[checkIndex(operation.kind, known.kinds.length, 'kind', `${where}.kind`)];
    for (const name of SHARED) operation[name] = kind[name];
  }
  checkInterval(operation.begin, operation.end, where);
  operation.listing = checkIndexOrNone(operation.listing, known.texts.length, 'text', `${where}.listing`);
  for (const name of ['uses', 'waits', 'reads'])
    operation[name] = checkList(operation[name], `${where}.${name}`);
  checkUses(operation, known.lanes, where);
  checkWaits(operation, known.operations, where);
}

function checkTensor(tensor, i, known) {
  const where = `tensors[${i}]`;
  checkObject(tensor, where);
  checkNumber(tensor.id, `${where}.id`);
  checkText(tensor.memory, `${where}.memory`);
  tensor.name = checkText(tensor.name ?? '', `${where}.name`);
  tensor.file = checkIndexOrNone(tensor.file, known.files.length, 'file', `${where}.file`);
  tensor.mapping = checkIndexOrNone(tensor.mapping, known.texts.length, 'text', `${where}.mapping`);
  tensor.writer = checkIndexOrNone(tensor.writer, known.operations, 'operation', `${where}.writer`);
  tensor.readers = checkList(tensor.readers, `${where}.readers`);
  for (const reader of tensor.readers) checkIndex(reader, known.operations, 'operation', `${where}.readers`);
  for (const name of ['address', 'bytes']) tensor[name] = checkNumber(tensor[name] ?? -1, `${where}.${name}`);
  for (const name of ['chips', 'clusters', 'slices']) tensor[name] = checkNumber(tensor[name] ?? 1, `${where}.${name}`);
  tensor.axes = checkObjects(tensor, 'axes');
  checkInterval(tensor.from, tensor.to, where);
}

// Operations name tensors by id; here by index.
function nameTensorsByIndex(operations, tensors) {
  const index = new Map(tensors.map((tensor, i) => [tensor.id, i]));
  if (index.size !== tensors.length) refuse('tensors', 'two of them have the same id');
  const find = (id, where) => index.get(id) ?? refuse(where, `there is no tensor ${JSON.stringify(id)}`);
  operations.forEach((operation, i) => {
    operation.reads = operation.reads.map(id => find(id, `operations[${i}].reads`));
    const none = operation.writes === -1 || operation.writes === undefined;
    operation.writes = none ? -1 : find(operation.writes, `operations[${i}].writes`);
  });
}

// ---- what is made of it

function lanesWithTracks(lanes, operations) {
  const entries = lanes.map(() => []);
  operations.forEach((operation, id) => {
    for (const [lane, from, to] of operation.uses) entries[lane].push({ from, to, id });
  });
  return lanes.map((lane, i) => ({ ...lane, tracks: packTracks(entries[i], MOST_TRACKS) }));
}

function memoriesWithTensors(tensors) {
  const names = [...new Set([...MEMORIES, ...tensors.map(tensor => tensor.memory)])];
  return names.map(name => memoryOf(name, tensors)).filter(memory => memory.lives.count > 0);
}

function memoryOf(name, tensors) {
  const held = [];
  tensors.forEach((tensor, id) => {
    if (tensor.memory === name && tensor.address >= 0 && tensor.bytes > 0) held.push({ id, tensor });
  });
  const lives = new Intervals(held.map(({ id, tensor }) => ({ from: tensor.from, to: tensor.to, id })));
  const scale = new AddressScale(held.map(({ tensor }) => ({ from: tensor.address, to: tensor.address + tensor.bytes })));
  return {
    name, lives, scale,
    // where each of `lives` begins and ends in the scale
    lowest: Float64Array.from(lives.id, id => scale.place(tensors[id].address)),
    highest: Float64Array.from(lives.id, id => scale.place(tensors[id].address + tensors[id].bytes)),
    // the most bytes that are alive at a time, of one place
    peak: peakBytes(held.map(({ tensor }) => tensor)),
  };
}

function peakBytes(tensors) {
  const events = tensors.flatMap(tensor => [[tensor.from, tensor.bytes], [tensor.to, -tensor.bytes]]);
  events.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let now = 0;
  let peak = 0;
  for (const [, bytes] of events) peak = Math.max(peak, (now += bytes));
  return peak;
}

// By begin, then in program order: the order in which a reader meets them.
function orderByBegin(operations) {
  const order = Int32Array.from(operations.keys());
  return order.sort((a, b) => operations[a].begin - operations[b].begin || a - b);
}

const checkObjects = (doc, name) => checkList(doc[name], name).map((one, i) => checkObject(one, `${name}[${i}]`));

function checkSummary(doc) {
  const summary = checkObject(doc.summary ?? {}, 'summary');
  return { ...summary, advice: checkList(summary.advice, 'summary.advice').map((text, i) => checkText(text, `summary.advice[${i}]`)) };
}

function checkGaps(doc, known) {
  return checkList(doc.gaps, 'gaps').map((gap, i) => {
    checkIndex(gap?.lane, known.lanes.length, 'lane', `gaps[${i}].lane`);
    if (gap.lanes !== undefined) checkIndex(gap.lane + gap.lanes - 1, known.lanes.length, 'lane', `gaps[${i}].lanes`);
    checkInterval(gap.from, gap.to, `gaps[${i}]`);
    return { ...gap, operation: checkIndexOrNone(gap.operation, known.operations, 'operation', `gaps[${i}].operation`) };
  });
}

export function scheduleFrom(doc) {
  checkHeader(doc);
  const operations = checkList(doc.operations, 'operations');
  const tensors = checkList(doc.tensors, 'tensors');
  const known = { lanes: checkLanes(doc), texts: checkTexts(doc, 'texts'), files: checkTexts(doc, 'files'), costs: checkCosts(doc), operations: operations.length };
  known.kinds = checkKinds(doc, known);
  operations.forEach((operation, i) => checkOperation(operation, i, known));
  tensors.forEach((tensor, i) => checkTensor(tensor, i, known));
  nameTensorsByIndex(operations, tensors);
  homeFirst(operations, known.lanes);
  const critical = checkList(doc.critical, 'critical');
  for (const id of critical) checkIndex(id, operations.length, 'operation', 'critical');
  const last = operations.reduce((end, operation) => Math.max(end, operation.end), doc.cycles);
  return {
    doc, operations, tensors, critical,
    texts: known.texts,
    files: known.files,
    cycles: last,
    lanes: lanesWithTracks(known.lanes, operations),
    memories: memoriesWithTensors(tensors),
    machineMemories: checkObjects(doc, 'memories'),
    axes: doc.axes === undefined ? inferAxes(tensors, known.texts) : checkObjects(doc, 'axes'),
    gaps: checkGaps(doc, known),
    summary: checkSummary(doc),
    order: orderByBegin(operations),
  };
}

// An operation stands for the engine or context that runs it, not for what that uses beside: HBM, the Vector Engine.
const BESIDE = ['hbm', 'vector'];

function homeFirst(operations, lanes) {
  const beside = lanes.map(lane => (BESIDE.includes(lane.kind) ? 1 : 0));
  for (const operation of operations) operation.uses.sort((a, b) => beside[a[0]] - beside[b[0]]);
}

// The place of a mistake in JSON, where the engine tells it. What does not even begin like JSON was never a schedule.
function jsonMistake(error, text) {
  const at = Number(/position (\d+)/.exec(error.message)?.[1] ?? NaN);
  if (text.trim().length === 0) return 'the file is empty';
  if (!/^\s*[{[]/.test(text)) return 'this is not JSON, so it is no schedule: contra schedule FILE --kernel K --json K.json writes one';
  if (Number.isNaN(at)) return `this is not whole JSON (${sizeText(text.length)}): the file is cut off or damaged`;
  const line = text.slice(0, at).split('\n').length;
  return at >= text.length - 1
    ? `this is not whole JSON: it ends after ${sizeText(text.length)}, in the middle; the file is cut off`
    : `this is not JSON: line ${line}, character ${at + 1} of ${text.length} cannot stand there; the file is damaged`;
}

export function parseSchedule(text) {
  let doc;
  try {
    doc = JSON.parse(text);
  } catch (error) {
    throw new ScheduleError(jsonMistake(error, text));
  }
  return scheduleFrom(doc);
}

// ---- TRF: its addresses run over all rows of a slice. A document may say how many there are.

const TRF_ROWS = 8;

export function trfRows(schedule) {
  const { rows } = schedule.machineMemories.find(one => one.memory === 'TRF') ?? {};
  return Number.isInteger(rows) && rows > 0 ? rows : TRF_ROWS;
}

// ---- names

export const kindOfOperation = (schedule, operation) => schedule.lanes[operation.uses[0]?.[0]]?.kind ?? 'other';

export const textOf = (schedule, index) => (index >= 0 ? schedule.texts[index] : '');

export const fileOf = (schedule, thing) => (thing.file >= 0 ? schedule.files[thing.file] : '');

export const duration = operation => operation.end - operation.begin;

// The `most` longest operations of `ids`, longest first. Only these are sorted: a brush over 50,000 asks for them with every move.
export function longestOf({ operations }, ids, most) {
  const cycles = Float64Array.from(ids, id => duration(operations[id])).sort();
  const least = cycles[Math.max(cycles.length - most, 0)];
  return ids.filter(id => duration(operations[id]) >= least)
    .sort((a, b) => duration(operations[b]) - duration(operations[a]) || a - b).slice(0, most);
}

export const tensorName = (schedule, index) => schedule.tensors[index].name || `tensor ${schedule.tensors[index].id}`;
