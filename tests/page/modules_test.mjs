// The page's modules that need no browser.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { Intervals, Track, packTracks, lowerBound } from '../../viewer/src/intervals.js';
import { AddressScale, clampWindow, fitWindow, ticks, zoomWindow } from '../../viewer/src/scale.js';
import { longestOf, parseSchedule, scheduleFrom, ScheduleError } from '../../viewer/src/document.js';
import { layOut, pickAt, operationBoxes, rangeFacts, xOf, cycleAt, yOfAddress, addressAt, addressLabels, bandTop, plotWidth, rulerLabels, shownTensorBox, tensorBox, GUTTER, HEAD } from '../../viewer/src/scene.js';
import { search } from '../../viewer/src/search.js';
import { commonLines, compareSchedules, rowsOfOperations, twinOf } from '../../viewer/src/compare.js';
import { inferAxes, readMapping } from '../../viewer/src/mapping.js';
import { refusal } from '../../viewer/src/files.js';
import { parseHash, formatHash } from '../../viewer/src/state.js';
import { mergeWaits, waitReason } from '../../viewer/src/waits.js';
import { brief, sizeText, percent, clockTime, laneRange } from '../../viewer/src/format.js';
import { many, random, shared, small, smallHidden, smallQuicker } from './documents.mjs';
import { ROOT, template } from './page.mjs';

const entries = (...pairs) => pairs.map(([from, to], id) => ({ from, to, id }));

// ---- intervals

test('a query finds what a look at every interval finds', () => {
  const next = random(7);
  const list = Array.from({ length: 1000 }, (_, id) => {
    const from = Math.floor(next() * 10000);
    return { from, to: from + Math.floor(next() ** 4 * 3000), id };
  });
  const intervals = new Intervals(list);
  for (let round = 0; round < 300; round++) {
    const begin = Math.floor(next() * 11000) - 500;
    const end = begin + Math.floor(next() * 2000);
    const found = [];
    intervals.visit(begin, end, i => found.push(intervals.id[i]));
    const expected = list.filter(one => one.from < end && (one.to > begin || one.from >= begin)).map(one => one.id);
    assert.deepEqual(found.sort((a, b) => a - b), expected);
  }
});

test('lowerBound is the first that is not below', () => {
  assert.deepEqual([0, 1, 2, 3, 5, 6].map(value => lowerBound([1, 3, 3, 5], value)), [0, 0, 1, 1, 3, 4]);
});

test('busy cycles of any stretch', () => {
  const track = new Track(entries([10, 20], [20, 25], [40, 60]));
  const cases = [[0, 100, 35], [0, 10, 0], [15, 22, 7], [25, 40, 0], [50, 55, 5], [59, 200, 1], [0, 0, 0]];
  for (const [begin, end, busy] of cases) assert.equal(track.busyBetween(begin, end), busy, `${begin} to ${end}`);
});

test('columns are the busy shares of their stretches, whatever the zoom', () => {
  const next = random(3);
  const list = [];
  for (let at = 0, id = 0; id < 5000; id++) {
    at += Math.floor(next() * 40);
    const to = at + 1 + Math.floor(next() * 60);
    list.push({ from: at, to, id });
    at = to;
  }
  const track = new Track(list);
  const share = new Float64Array(300);
  const witness = new Int32Array(300);
  for (const [begin, step] of [[0, 1], [-50, 7], [1234, 0.5], [0, 900], [200000, 333]]) {
    track.columns(begin, step, 300, share, witness);
    for (let x = 0; x < 300; x++) {
      const expected = track.busyBetween(begin + x * step, begin + (x + 1) * step) / step;
      assert.ok(Math.abs(share[x] - expected) < 1e-6, `column ${x} of ${begin} by ${step}: ${share[x]}, ${expected}`);
      assert.equal(witness[x] >= 0, share[x] > 0);
    }
  }
});

test('what overlaps goes to tracks of its own, at most as many as allowed', () => {
  const tracks = packTracks(entries([0, 10], [5, 15], [10, 20], [12, 14]), 6);
  assert.deepEqual(tracks.map(track => [...track.id]), [[0, 2], [1], [3]]);
  const few = packTracks(entries([0, 10], [1, 11], [2, 12]), 2);
  assert.equal(few.length, 2);
  for (const track of few) for (let i = 1; i < track.count; i++) assert.ok(track.from[i] >= track.to[i - 1]);
});

test('the pointer means the operation under it, or a narrow one beside it', () => {
  const track = new Track(entries([10, 20], [30, 31]));
  const cases = [[10, 0, 0], [19, 0, 0], [20, 0, 0], [22, 1, -1], [29, 2, 1], [25, 4, -1], [5, 5, 0], [5, 4, -1]];
  for (const [cycle, reach, found] of cases) assert.equal(track.pick(cycle, reach), found, `${cycle}, ${reach}`);
});

// ---- scales

test('ticks are round and about as many as wanted', () => {
  assert.deepEqual(ticks(0, 100, 5).at, [0, 20, 40, 60, 80, 100]);
  assert.deepEqual(ticks(3, 9, 100).at, [3, 4, 5, 6, 7, 8, 9]);
  for (const span of [7, 123, 98765, 1e9]) {
    const { at } = ticks(0, span, 8);
    assert.ok(at.length >= 3 && at.length <= 9, `${span}: ${at.length}`);
  }
});

test('zooming keeps the cycle under the pointer where it is', () => {
  const view = { from: 1000, to: 2000 };
  const zoomed = zoomWindow(view, 0.5, 1250, 10000);
  assert.deepEqual(zoomed, { from: 1125, to: 1625 });
  const out = zoomWindow(view, 1e9, 1250, 10000);
  const all = fitWindow(10000);
  assert.deepEqual([Math.round(out.from), Math.round(out.to)], [Math.round(all.from), Math.round(all.to)]);
  assert.ok(clampWindow({ from: 5, to: 5 }, 10000).to > clampWindow({ from: 5, to: 5 }, 10000).from);
  assert.equal(clampWindow({ from: -1e6, to: -1e6 + 100 }, 10000).from, all.from);
});

test('long stretches of unused addresses are cut down, and addresses found again', () => {
  const scale = new AddressScale([{ from: 0, to: 4096 }, { from: 1 << 29, to: (1 << 29) + 4096 }, { from: 2048, to: 6144 }]);
  assert.equal(scale.breaks.length, 1);
  assert.ok(scale.size < 12000, `${scale.size}`);
  for (const address of [0, 1, 4096, 6143, 1 << 29, (1 << 29) + 4095]) assert.equal(scale.address(scale.place(address)), address);
  assert.ok(scale.place(1 << 20) <= scale.place(1 << 29));
  assert.equal(new AddressScale([]).size, 1);
});

// ---- documents

test('the small schedule is read', () => {
  const schedule = parseSchedule(JSON.stringify(small()));
  assert.equal(schedule.cycles, 3900);
  assert.deepEqual(schedule.memories.map(memory => memory.name), ['DM', 'TRF', 'HBM']);
  assert.deepEqual(schedule.lanes.map(lane => lane.tracks.length), [1, 1, 0, 0, 1, 1, 1, 2]);
  assert.equal(schedule.memories[0].peak, 1024);
});

test('what operations share may stand in tables', () => {
  const plain = scheduleFrom(small());
  const tables = scheduleFrom(JSON.parse(JSON.stringify(shared(small()))));
  plain.operations.forEach((operation, i) => {
    const { kind, ...rest } = tables.operations[i];
    assert.equal(typeof kind, 'number');
    assert.deepEqual(rest, operation);
  });
  assert.deepEqual(tables.texts.slice(0, plain.texts.length), plain.texts);
  assert.deepEqual(tables.lanes, plain.lanes);
});

test('several lanes may be one use', () => {
  const doc = small();
  doc.operations[0].uses = [[0, 0, 1000, 3]];
  assert.deepEqual(scheduleFrom(doc).operations[0].uses, [[0, 0, 1000], [1, 0, 1000], [2, 0, 1000]]);
});

test('tensors may have any ids', () => {
  const doc = small();
  for (const tensor of doc.tensors) tensor.id = 100 - tensor.id;
  for (const operation of doc.operations) {
    operation.reads = operation.reads.map(id => 100 - id);
    operation.writes = 100 - operation.writes;
  }
  assert.deepEqual(scheduleFrom(doc).operations[3].reads, [2, 4]);
});

const broken = [
  ['empty', () => '', /the file is empty/],
  ['cut off', () => JSON.stringify(small()).slice(0, 4000), /cut off/],
  ['not JSON', () => 'hello', /not JSON, so it is no schedule/],
  ['blank', () => ' \n', /the file is empty/],
  ['other JSON', () => '{"a": 1}', /no schedule/],
  ['a list', () => '[]', /an object is missing/],
  ['null', () => 'null', /an object is missing/],
  ['a newer version', () => change(doc => { doc.version = 3; }), /version: 3; this page reads version 2/],
  ['no cycles', () => change(doc => { delete doc.cycles; }), /cycles: a number is missing/],
  ['an unknown lane', () => change(doc => { doc.operations[3].uses[0][0] = 40; }), /operations\[3\]\.uses\[0\]: there is no lane 40/],
  ['an unknown kind of lane', () => change(doc => { doc.lanes[1].kind = 'gpu'; }), /lanes\[1\]\.kind: there is no kind of lane "gpu"/],
  ['an unknown tensor', () => change(doc => { doc.operations[0].reads = [9]; }), /operations\[0\]\.reads: there is no tensor 9/],
  ['an unknown culprit', () => change(doc => { doc.operations[2].waits[0].operation = 77; }), /waits\[0\]\.operation: there is no operation 77/],
  ['time that runs back', () => change(doc => { doc.operations[1].end = -1; }), /operations\[1\]: from 0 to -1 is no interval/],
  ['an unknown text', () => change(doc => { doc.operations[0].source = 99; }), /operations\[0\]\.source: there is no text 99/],
  ['an unknown kind', () => change(doc => { doc.operations[0].kind = 0; }), /operations\[0\]\.kind: there is no kind 0/],
  ['an unknown cost', () => change(doc => { doc.operations[0].commands = [3]; }), /operations\[0\]\.commands\[0\]: there is no cost 3/],
  ['an unknown line', () => change(doc => { doc.texts[2] = [99]; }), /texts\[2\]: there is no text 99/],
  ['a line of lines', () => change(doc => { doc.texts[2] = [2]; }), /texts\[2\]: a text is missing/],
  ['a kind without a method', () => change(doc => { doc.kinds = [{}]; }), /kinds\[0\]\.method: a text is missing/],
  ['more lanes than there are', () => change(doc => { doc.operations[0].uses[0][3] = 40; }), /operations\[0\]\.uses\[0\]: there is no lane 39/],
  ['no lane at all', () => change(doc => { doc.operations[0].uses[0][3] = 0; }), /operations\[0\]\.uses\[0\]: 0 is no number of lanes/],
  ['two tensors of one id', () => change(doc => { doc.tensors[1].id = 0; }), /two of them have the same id/],
  ['operations that are none', () => change(doc => { doc.operations = [null]; }), /operations\[0\]: an object is missing/],
  ['a number as text', () => change(doc => { doc.tensors[0].from = '0'; }), /tensors\[0\]: a number is missing/],
];

function change(edit) {
  const doc = small();
  edit(doc);
  return JSON.stringify(doc);
}

for (const [name, make, expected] of broken)
  test(`a document is refused with its reason: ${name}`, () => {
    assert.throws(() => parseSchedule(make()), error => error instanceof ScheduleError && expected.test(error.message));
  });

test('contra view serves the versions that the page reads', () => {
  const newest = Number(/PAGE_NEWEST_VERSION = (\d+)/.exec(readFileSync(`${ROOT}src/tools/page.h`, 'utf8'))[1]);
  const read = version => () => parseSchedule(change(doc => { doc.version = version; }));
  for (let version = 1; version <= newest; version++) assert.doesNotThrow(read(version));
  assert.throws(read(newest + 1), ScheduleError);
});

test('whatever is lost from a document, it is shown or refused, never worse', () => {
  const next = random(11);
  for (let round = 0; round < 400; round++) {
    const doc = round % 2 ? shared(small()) : small();
    spoil(doc, next);
    try {
      scheduleFrom(doc);
    } catch (error) {
      assert.ok(error instanceof ScheduleError, `${error.stack}`);
    }
  }
});

// Puts something else into one place of the document.
function spoil(doc, next) {
  let at = doc;
  for (;;) {
    const keys = Object.keys(at);
    const key = keys[Math.floor(next() * keys.length)];
    if (at[key] === null || typeof at[key] !== 'object' || Object.keys(at[key]).length === 0 || next() < 0.15) {
      at[key] = [null, -7, 1e99, 'x', [], {}, true, undefined][Math.floor(next() * 8)];
      return;
    }
    at = at[key];
  }
}

test('diagnostics of contra become paragraphs', () => {
  const one = { code: 'E0851', message: '`k.tcpo` is no object file', notes: [], helps: [{ text: '`contra compile` makes one', replacements: [] }] };
  assert.equal(refusal(JSON.stringify([one, one])), Array(2).fill('`k.tcpo` is no object file (E0851). `contra compile` makes one.').join('\n\n'));
  assert.equal(refusal('the file is too large\n'), 'the file is too large');
});

// ---- what contra writes

const contra = process.env.CONTRA ?? `${ROOT}build/dev/contra`;
const schedules = spawnSync(contra, ['schedule', '--help']).status === 0;

test('what contra schedule writes is read', { skip: !schedules && 'there is no contra schedule' }, () => {
  const examples = readdirSync(`${ROOT}examples/hello`).filter(name => name.endsWith('.rs'));
  for (const name of examples) {
    const { status, stdout, stderr } = spawnSync(contra, ['schedule', `${ROOT}examples/hello/${name}`, '--json', '-'], { encoding: 'utf8' });
    if (status === 2 && stderr.includes('which kernel?')) continue;
    assert.equal(status, 0, stderr);
    const schedule = parseSchedule(stdout);
    assert.ok(schedule.operations.length > 0 && schedule.memories.length > 0, name);
  }
});

// ---- scene

const view = schedule => ({ ...fitWindow(schedule.cycles), scroll: 0, addresses: new Map() });

test('what is drawn in a place is what a click there picks', () => {
  const schedule = parseSchedule(JSON.stringify(small()));
  const scene = layOut(schedule, 1000, 700);
  const window = view(schedule);
  assert.equal(scene.hidden, 2);
  schedule.operations.forEach((_, id) => {
    for (const box of operationBoxes(scene, window, id)) {
      const picked = pickAt(scene, window, box.x + box.width / 2, box.y + box.height / 2);
      assert.deepEqual(picked.hit, { kind: 'operation', id });
    }
  });
  for (const band of scene.bands.filter(one => one.kind === 'memory'))
    for (const id of band.memory.lives.id) {
      const tensor = schedule.tensors[id];
      const y = yOfAddress(window, band, tensor.address + tensor.bytes / 2);
      const picked = pickAt(scene, window, xOf(scene, window, (tensor.from + tensor.to) / 2), y);
      assert.deepEqual(picked.hit, { kind: 'tensor', id });
    }
});

test('pixels and cycles, pixels and addresses turn into each other', () => {
  const schedule = parseSchedule(JSON.stringify(small()));
  const scene = layOut(schedule, 1000, 700);
  const window = view(schedule);
  assert.ok(Math.abs(cycleAt(scene, window, xOf(scene, window, 1234)) - 1234) < 1e-6);
  const band = scene.bands.find(one => one.kind === 'memory');
  assert.ok(Math.abs(addressAt(window, band, yOfAddress(window, band, 100)) - 100) < 1e-6);
  assert.equal(pickAt(scene, window, GUTTER - 5, bandTop(window, band) + 5).region, 'gutter');
});

test('a tensor is shown inside the band of its memory only', () => {
  const schedule = parseSchedule(JSON.stringify(small()));
  const scene = layOut(schedule, 1000, 700);
  const band = scene.bands.find(one => one.memory?.name === 'DM');
  const [top, bottom] = [bandTop(view(schedule), band), bandTop(view(schedule), band) + band.height];
  const close = (low, high) => ({ ...view(schedule), addresses: new Map([['DM', { low, high }]]) });
  const whole = view(schedule);
  assert.deepEqual(shownTensorBox(scene, whole, band, schedule.tensors[2]), { ...tensorBox(scene, whole, band, schedule.tensors[2]), outside: false });
  const cut = shownTensorBox(scene, close(100, 200), band, schedule.tensors[2]);
  assert.deepEqual([cut.y, cut.y + cut.height, cut.outside], [top, bottom, false]);
  const gone = shownTensorBox(scene, close(100, 200), band, schedule.tensors[5]);
  assert.deepEqual([gone.y, gone.height, gone.outside], [top, 0, true]);
});

test('the scrollbar has its own place', () => {
  const schedule = parseSchedule(JSON.stringify(small()));
  const [tall, low] = [layOut(schedule, 1000, 900), layOut(schedule, 1000, 300)];
  assert.equal(tall.right, 1000);
  assert.ok(low.right < 990);
  const window = view(schedule);
  assert.ok(xOf(low, window, window.to) <= low.right);
  assert.equal(plotWidth(low), low.right - GUTTER);
  assert.equal(pickAt(low, window, low.right + 1, HEAD + 20).region, 'scrollbar');
  assert.notEqual(pickAt(low, window, low.right - 1, HEAD + 20).region, 'scrollbar');
});

test('labels of the ruler do not leave it, nor lie on each other or on the pointer', () => {
  const at = xs => xs.map(x => ({ x, width: 40 }));
  assert.deepEqual(rulerLabels(at([200, 300, 400]), 500, null), [204, 304, 404]);
  assert.deepEqual(rulerLabels(at([200, 300, 470]), 500, null), [204, 304, 426], 'the last stands before its tick');
  assert.deepEqual(rulerLabels(at([200, 430, 470]), 500, null), [204, 434, null], 'where there is room');
  assert.deepEqual(rulerLabels(at([200, 300, 400]), 500, { x: 320, width: 50 }), [204, null, 404]);
});

test('addresses stand at both sides of a break', () => {
  const schedule = parseSchedule(JSON.stringify(small()));
  const scene = layOut(schedule, 1000, 900);
  const window = view(schedule);
  const labels = name => addressLabels(window, scene.bands.find(one => one.memory?.name === name));
  assert.deepEqual(labels('HBM').map(one => one.address).sort((a, b) => a - b), [0, 16384, 536870912, 536887296]);
  for (const name of ['DM', 'HBM']) {
    const places = labels(name).map(one => one.y).sort((a, b) => a - b);
    for (let i = 1; i < places.length; i++) assert.ok(places[i] - places[i - 1] >= 10, `${places}`);
  }
  const narrow = layOut(schedule, 1000, 200);
  assert.ok(addressLabels(window, narrow.bands.find(one => one.memory?.name === 'DM')).length >= 2, 'the ends always');
});

test('a brush counts what it covers', () => {
  const schedule = parseSchedule(JSON.stringify(small()));
  const facts = rangeFacts(schedule, { from: 1000, to: 1400 });
  assert.deepEqual(facts.operations.sort(), [2, 3]);
  assert.equal(facts.lanes.find(({ lane }) => lane.name === 'main').busy, 100);
  const inside = rangeFacts(schedule, { from: 0, to: 3900, memory: 'DM', low: 4000, high: 5000 });
  assert.deepEqual(inside.tensors, [3]);
  assert.deepEqual(inside.operations, [1, 2], 'those that touch the addresses');
  assert.deepEqual(rangeFacts(schedule, { from: 1100, to: 3900, memory: 'DM', low: 4000, high: 5000 }).operations, [2], 'in these cycles');
  assert.deepEqual(rangeFacts(schedule, { from: 0, to: 3900, memory: 'DM', low: 9000, high: 9999 }).operations, []);
});

test('the longest operations are those that sorting all would give', () => {
  const schedule = scheduleFrom(many(2000));
  const { operations } = schedule;
  const cycles = id => operations[id].end - operations[id].begin;
  const ids = [...operations.keys()].filter(id => id % 3);
  const sorted = ids.slice().sort((a, b) => cycles(b) - cycles(a) || a - b);
  for (const most of [1, 10, 60, 5000]) assert.deepEqual(longestOf(schedule, ids, most), sorted.slice(0, most));
  assert.deepEqual(longestOf(schedule, [], 10), []);
});

// ---- search, compare, mappings, hash

test('search by method, tensor, line, text and number', () => {
  const schedule = parseSchedule(JSON.stringify(small()));
  const cases = [['commit', [3]], ['TO_DM', [0, 1]], [':44', [4]], ['gemm.rs:26', [1]], ['37', [3]], ['line 30', [2]], ['2 << 28', [4]],
    ['#2', [2]], ['to_dm a.to', [0]], ['no such thing', []], ['hbm write', [4]],
    ['to_dm 26', [1]], ['to_dm :26', [1]], ['gemm.rs:26 to_dm', [1]], ['line 26 to_dm', [1]], ['to_dm #1', [1]], ['commit 26', []], ['line37', [3]]];
  for (const [text, expected] of cases) assert.deepEqual([...search(schedule, text).list], expected, text);
  assert.equal(search(schedule, '  '), null);
  assert.deepEqual([...search(schedule, 'c').tensors].filter(Boolean).length > 0, true);
});

test('lines that moved are found again by their text', () => {
  const lines = text => [...text].map(one => ({ text: one }));
  assert.deepEqual(commonLines(lines('abcd'), lines('xbzd')), [[1, 1], [3, 3]]);
  const [a, b] = [small(), smallQuicker()].map(doc => scheduleFrom(doc));
  const rows = compareSchedules(a, b);
  assert.equal(rows.length, 5);
  const store = rows.find(row => row.a?.line === 44);
  assert.deepEqual([store.b.line, store.change, store.why], [46, -500, 'bound by HBM write → start-up']);
  const sides = rowsOfOperations(rows, a, b);
  assert.equal(twinOf(rows[sides[0][4]], 0, 4), 4);
});

test('what got quicker is what left the critical path, however long it takes', () => {
  const rows = compareSchedules(scheduleFrom(small()), scheduleFrom(smallHidden()));
  const changed = rows.filter(row => row.change !== 0);
  assert.deepEqual(changed.map(row => [row.a.line, row.change, row.why]),
    [[30, -300, 'takes as long, but 300 cycles run beside others, were 0; off the critical path']]);
  const longer = small();
  longer.operations[0].end = 1200; // beside others, before and now
  const [row] = compareSchedules(scheduleFrom(small()), scheduleFrom(longer));
  assert.deepEqual([row.change, row.why], [0, 'takes 1,200 cycles in all, took 1,000']);
});

test('every cycle of a kernel is in one row of a comparison', () => {
  const measured = small(); // starts late, waits for a store, ends late; and two operations of its path overlap
  const late = [1003, 1003, 1003, 1503, 2103];
  measured.operations.forEach((operation, i) => {
    operation.begin += late[i];
    operation.end += late[i];
    operation.uses = [];
  });
  measured.operations[1].waits = [{ kind: 'start', until: 1003 }];
  measured.operations[4].waits = [{ kind: 'sync', operation: 3, until: measured.operations[4].begin }];
  measured.cycles = measured.operations[4].end + 600;
  const rows = compareSchedules(scheduleFrom(small()), scheduleFrom(measured));
  assert.equal(rows.reduce((sum, row) => sum + (row.b?.critical ?? 0), 0), measured.cycles);
  assert.equal(rows.reduce((sum, row) => sum + row.change, 0), measured.cycles - small().cycles);
  const phases = Object.fromEntries(rows.filter(row => row.b?.operations.length === 0).map(row => [row.b.text.split(' ')[0], row.change]));
  assert.deepEqual([phases.synchronisation, phases.end], [600, 600]);
});

test('cells of a mapping', () => {
  const axes = new Map(Object.entries({ I: 64, J: 64, K: 64, A: 63 }));
  const cell = (text, memory, positions) => {
    const index = readMapping(text, memory, axes).cell(positions);
    return index && Object.fromEntries(index);
  };
  const dm = 'm![1], m![1 # 2], m![I / 4, J / 4], m![I % 4, K]';
  assert.deepEqual(readMapping(dm, 'DM', axes).dimensions.map(one => one.size), [1, 2, 256, 256]);
  assert.deepEqual(cell(dm, 'DM', [0, 0, 17, 65]), { I: 5, J: 4, K: 1 });
  assert.equal(cell(dm, 'DM', [0, 1, 0, 0]), null);
  assert.deepEqual(cell('m![1], m![1], m![A # 64 / 8], m![A # 64 % 8]', 'DM', [0, 0, 7, 6]), { A: 62 });
  assert.equal(cell('m![1], m![1], m![A # 64 / 8], m![A # 64 % 8]', 'DM', [0, 0, 7, 7]), null);
  assert.deepEqual(cell('m![1], m![[I, J] / 8]', 'HBM', [0, 9]), { I: 1, J: 8 });
  assert.deepEqual(cell('m![1], m![K = 3 # 4]', 'HBM', [0, 2]), { K: 2 });
  assert.equal(cell('m![1], m![K = 3 # 4]', 'HBM', [0, 3]), null);
  for (const text of ['m![1], m![X]', 'm![1], m![$(I : 2)]', 'm![1]', 'm![1], m![I', '', 'm![1], m![I / 0]']) assert.equal(readMapping(text, 'HBM', axes), null);
});

test('sizes of axes are worked out of the tensors where the document leaves them out', () => {
  const doc = small();
  delete doc.axes;
  const found = schedule => Object.fromEntries(schedule.axes.map(axis => [axis.name, axis.size]));
  assert.deepEqual(found(scheduleFrom(doc)), { I: 64, J: 64, K: 64 });
  const tensor = (mapping, bytes) => ({ mapping, memory: 'HBM', type: 'i8', bytes, chips: 1, clusters: 1, slices: 1 });
  assert.deepEqual(inferAxes([tensor(0, 32)], ['m![1], m![A # 64 / 2]']), [], 'padding says nothing of what is padded');
  assert.deepEqual(inferAxes([tensor(0, 16), tensor(1, 12)], ['m![1], m![A]', 'm![1], m![A]']), [], 'they do not fit');
  assert.deepEqual(inferAxes([tensor(0, 64), tensor(1, 16)], ['m![1], m![A, B]', 'm![1], m![A]']), [{ name: 'A', size: 16 }, { name: 'B', size: 4 }]);
});

test('the hash keeps the view', () => {
  const state = { view: { from: 100, to: 900 }, addresses: [{ memory: 'DM', low: 0, high: 4096 }, { memory: 'HBM', low: 512, high: 1024 }],
    brush: { from: 200, to: 300, memory: 'DM', low: 64, high: 128 }, selection: { kind: 'tensor', id: 4 }, query: 'a b&c', tab: 'operations', critical: true, idle: true, colour: 'bound' };
  assert.deepEqual(parseHash(formatHash(state)), state);
  assert.equal(formatHash({}), '');
  assert.equal(parseHash('#view=9-3&select=cow-1').view, null);
  assert.equal(parseHash('#view=9-3&select=cow-1').selection, null);
  assert.deepEqual(parseHash(formatHash({ ...state, brush: { from: 5, to: 5 } })).brush, { from: 5, to: 5 });
  for (const hash of ['#brush=9-3', '#brush=x', '#brush=', '#brush=DM:0-5']) assert.equal(parseHash(hash).brush, null, hash);
  assert.deepEqual(parseHash('#addresses=DM:9-3,DM,:1-2,HBM:1-2').addresses, [{ memory: 'HBM', low: 1, high: 2 }]);
});

test('waits of one culprit on several lanes are told together', () => {
  const schedule = scheduleFrom(small());
  const wait = (kind, operation, lane, until = 9) => ({ kind, operation, lane, until });
  const merged = mergeWaits([wait('lane', 1, 0), wait('raw', 0, -1), wait('lane', 1, 1), wait('lane', 2, 1)]);
  assert.deepEqual(merged.map(one => one.length), [2, 1, 1]);
  assert.equal(waitReason(schedule, merged[0]), 'needs what #1 occupies: DMA 0.0, DMA 0.1');
});

test('addresses of TRF are counted over all rows, of waits as of tensors', () => {
  const doc = small();
  const wait = { kind: 'raw', operation: 2, until: 9, lane: -1, memory: 'TRF', from: 4096, to: 8192 };
  assert.equal(waitReason(scheduleFrom(doc), [wait]), 'reads what #2 writes: TRF 0x8000 to 0x10000, 32,768 bytes over 8 rows; a half counts as a whole');
  const other = small();
  other.memories[1].rows = 4;
  assert.match(waitReason(scheduleFrom(other), [wait]), /TRF 0x4000 to 0x8000, 16,384 bytes over 4 rows/);
  assert.equal(waitReason(scheduleFrom(small()), [{ ...wait, memory: 'DM' }]), 'reads what #2 writes: DM 0x1000 to 0x2000, 4,096 bytes');
});

test('one piece of several is called so', () => {
  const wait = { kind: 'raw', operation: 2, until: 9, lane: -1, memory: 'DM', from: 64, to: 96, low: 0, high: 4096 };
  assert.equal(waitReason(scheduleFrom(small()), [wait]), 'reads what #2 writes: DM 0x0 to 0x1000, such as 0x40 to 0x60, 32 bytes');
});

test('engines that idle together are named together', () => {
  const doc = small();
  doc.gaps[0].lanes = 2;
  const { lanes, gaps } = scheduleFrom(doc);
  assert.deepEqual([laneRange(lanes, gaps[0].lane, gaps[0].lanes), laneRange(lanes, gaps[1].lane, gaps[1].lanes)], ['DMA 0.0..0.1', 'DMA 0.1']);
  doc.gaps[0].lanes = doc.lanes.length + 1;
  assert.throws(() => scheduleFrom(doc), ScheduleError);
});

test('numbers as people read them', () => {
  assert.deepEqual([brief(0), brief(0.0123), brief(3.14159), brief(1234.5)], ['0', '0.012', '3.14', '1,235']);
  assert.deepEqual([sizeText(512), sizeText(1536), sizeText(3 * 2 ** 30)], ['512 B', '1.5 KiB', '3 GiB']);
  assert.deepEqual([percent(0.1234), percent(1)], ['12.3 %', '100 %']);
  assert.deepEqual([clockTime(3900, 1000), clockTime(5, 0)], ['3.9 µs', '']);
});

// ---- the page as a whole

test('modules are put together in the order of their imports, all of them', () => {
  const order = /set\(page_modules([^)]*)\)/.exec(readFileSync(`${ROOT}viewer/modules.cmake`, 'utf8'))[1].trim().split(/\s+/);
  const present = readdirSync(`${ROOT}viewer/src`).map(name => name.replace(/\.js$/, ''));
  assert.deepEqual(order.slice().sort(), present.sort());
  order.forEach((name, i) => {
    const imports = readFileSync(`${ROOT}viewer/src/${name}.js`, 'utf8').matchAll(/from '\.\/(\w+)\.js'/g);
    for (const [, other] of imports) assert.ok(order.indexOf(other) < i, `${name} imports ${other}`);
  });
});

test('the page needs nothing from elsewhere and has one place for a schedule', () => {
  const page = template();
  assert.equal(page.split('/*CONTRA_SCHEDULE*/').length, 2);
  assert.ok(!/\/\*CONTRA_(STYLE|SCRIPT)\*\//.test(page));
  assert.ok(/^[\x00-\x7f]*$/.test(page), 'the build puts it into a string of C: ASCII only');
  assert.ok(!/(src|href)="(?!data:|#)/.test(page), 'a link to elsewhere');
  assert.ok(!/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/.test(page), 'text becomes markup');
});

// Contrast after WCAG 2: AA is 4.5 for text.
function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map(at => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a, b) {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

test('text can be read in both themes', () => {
  const style = readFileSync(`${ROOT}viewer/style.css`, 'utf8');
  const blocks = [...style.matchAll(/color-scheme: (light|dark);([^}]*)/g)].map(([, , body]) => Object.fromEntries([...body.matchAll(/--(\w+): (#\w{6});/g)].map(([, name, value]) => [name, value])));
  assert.equal(blocks.length, 3);
  assert.deepEqual(blocks[1], blocks[2], 'the dark theme of the system is the dark theme of the button');
  for (const colours of blocks.slice(0, 2)) {
    for (const text of ['text', 'muted', 'accent', 'critical', 'better', 'worse'])
      for (const under of ['ground', 'raised', 'lane']) assert.ok(contrast(colours[text], colours[under]) >= 4.5, `${text} on ${under}: ${contrast(colours[text], colours[under])}`);
    for (const fill of ['dma', 'pcie', 'main', 'sub', 'vector', 'hbm', 'other', ...Array.from({ length: 10 }, (_, i) => `c${i}`)])
      assert.ok(contrast(colours.onfill, colours[fill]) >= 4.5, `text on ${fill}: ${contrast(colours.onfill, colours[fill])}`);
  }
});

test('50,000 operations are read and laid out in a few seconds of one processor', () => {
  const doc = many(50000);
  const text = JSON.stringify(doc);
  const before = process.cpuUsage();
  const schedule = parseSchedule(text);
  layOut(schedule, 1200, 800);
  const read = process.cpuUsage(before);
  search(schedule, 'commit');
  const used = process.cpuUsage(before);
  console.log(`page: 50,000 operations, ${Math.round(text.length / 1e6)} MB: read in ${Math.round((read.user + read.system) / 1000)} ms, searched in ${Math.round((used.user - read.user) / 1000)} ms of processor time`);
  assert.ok(used.user < 10e6);
});
