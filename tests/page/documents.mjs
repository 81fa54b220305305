// Schedules for the tests: one small enough to know every number of, one with as many operations as wanted, and broken ones.

const LANES = [
  { kind: 'dma', name: 'DMA 0.0', cluster: 0, engine: 0, busy: 2000 },
  { kind: 'dma', name: 'DMA 0.1', cluster: 0, engine: 1, busy: 1000 },
  { kind: 'dma', name: 'DMA 0.2', cluster: 0, engine: 2, busy: 0 },
  { kind: 'pcie', name: 'PCIe', cluster: -1, engine: -1, busy: 0 },
  { kind: 'main', name: 'main', cluster: -1, engine: -1, busy: 1600 },
  { kind: 'sub', name: 'sub', cluster: -1, engine: -1, busy: 300 },
  { kind: 'vector', name: 'Vector Engine', cluster: -1, engine: -1, busy: 200 },
  { kind: 'hbm', name: 'HBM', cluster: -1, engine: -1, busy: 1500 },
];

const TEXTS = [
  'let a = a.to_dm::<Cluster, Slice, m![I % 4, K]>(&mut ctx.tdma, 0);',
  'let b = b.to_dm::<Cluster, Slice, m![J % 4, K]>(&mut ctx.tdma, 0x1000);',
  '.begin(b.view())',
  '.begin(a.view())',
  'c.to_hbm(&mut ctx.tdma, 2 << 28)',
  'dma        131072 B in elements of 16 bits, homogeneous syntax\n           read  [I/4=2:512, J/4=16:0]:512 HBM/bf16@0\n           write [I/4=2:16*slice_stride]:512 DM/bf16@(0, 0, 0, 0)',
  'pass       main context, 2 clusters of 256 slices\nfetch      [I % 4 = 4 : 64, K = 64 : 1] : 32 @ 0x0\ncollect    packets of 128 B -> 4 flits\nreduce     bf16 x bf16 -> f32, tree depth 5\ncommit     [I % 4 = 4 : 4, J % 4 # 8 = 4 : 1] : 16 @ 0x2000',
  'packets of 16 bytes take a request each, which could move 256: let more lie together on both sides',
  'm![1], m![I, K]',
  'm![1], m![J, K]',
  'm![1], m![1 # 2], m![I / 4, J / 4], m![I % 4, K]',
  'm![1], m![1 # 2], m![I / 4, J / 4], m![J % 4, K]',
  'm![1], m![1 # 2], m![I / 4, J / 4], m![J % 4], m![K]',
  'm![1], m![1 # 2], m![I / 4, J / 4], m![I % 4, J % 4]',
  'm![1], m![I, J]',
];

const part = (name, busy, latency, note = '') =>
  ({ part: name, busy, latency, origin: 'rule', rule: `${name[0].toUpperCase()}${name.slice(1)} Engine, Performance`, note });

const dma = (cycles, bound) => [{ cycles, bound, parts: [part('start-up', 500, 0), part(bound, cycles - 500, 0, '128 requests of 256 bytes')] }];

const wait = (kind, operation, until, more = {}) => ({ kind, operation, until, lane: -1, memory: '', from: 0, to: 0, ...more });

// A matrix product: two loads, weights to TRF, the product, the store. 3,900 cycles.
export function small() {
  return {
    format: 'contra-schedule', version: 2, contra: '0.1.0', kernel: 'gemm', machine: 'rngd', clock_mhz: 1000, chips: 1,
    cost: 'manual', error: 'The manual gives rules, not measurements.', cycles: 3900, least: 3600, most: 4200,
    axes: [{ name: 'I', size: 64 }, { name: 'J', size: 64 }, { name: 'K', size: 64 }],
    memories: [{ memory: 'DM', bytes: 524288, clusters: 2, slices: 256, banks: 16, bank_bytes: 8 }, { memory: 'TRF', bytes: 65536, clusters: 2, slices: 256 }],
    lanes: structuredClone(LANES), texts: TEXTS.slice(), files: ['examples/gemm.rs'],
    operations: [
      { method: 'to_dm', context: 'tdma', file: 0, line: 25, source: 0, begin: 0, end: 1000, slack: 300, critical: false,
        uses: [[0, 0, 1000], [7, 0, 700]], waits: [], bound: 'HBM read', commands: dma(1000, 'HBM read'),
        reads: [0], writes: 2, bytes: 131072, macs: 0, listing: 5, hints: [] },
      { method: 'to_dm', context: 'tdma', file: 0, line: 26, source: 1, begin: 0, end: 1000, slack: 0, critical: true,
        uses: [[1, 0, 1000], [7, 100, 900]], waits: [], bound: 'HBM read', commands: dma(1000, 'HBM read'),
        reads: [1], writes: 3, bytes: 131072, macs: 0, listing: 5, hints: [] },
      { method: 'to_trf', context: 'sub', file: 0, line: 30, source: 2, begin: 1000, end: 1300, slack: 0, critical: true,
        uses: [[5, 1000, 1300]], waits: [wait('raw', 1, 1000, { memory: 'DM', from: 4096, to: 4608 })], bound: 'fetch',
        commands: [{ cycles: 300, bound: 'fetch', parts: [part('fetch', 256, 20), part('collect', 64, 12)] }],
        reads: [3], writes: 4, bytes: 131072, macs: 0, listing: -1, hints: [] },
      { method: 'commit', context: 'main', file: 0, line: 37, source: 3, begin: 1300, end: 2900, slack: 0, critical: true,
        uses: [[4, 1300, 2900], [6, 2100, 2300]],
        waits: [wait('raw', 2, 1300, { memory: 'TRF', from: 0, to: 4096 }), wait('raw', 0, 1000, { memory: 'DM', from: 0, to: 512 })], bound: 'contraction',
        commands: [{ cycles: 1600, bound: 'contraction', parts: [part('fetch', 512, 20), part('collect', 256, 12), part('contraction', 1440, 60, '8 of 1024 slots'), part('vector', 200, 40), part('commit', 128, 10)] }],
        reads: [2, 4], writes: 5, bytes: 131072, macs: 33554432, listing: 6, hints: [] },
      { method: 'to_hbm', context: 'tdma', file: 0, line: 44, source: 4, begin: 2900, end: 3900, slack: 0, critical: true,
        uses: [[0, 2900, 3900], [7, 3000, 3600]],
        waits: [wait('raw', 3, 2900, { memory: 'DM', from: 8192, to: 8256 }), wait('lane', 0, 1000, { lane: 0 })], bound: 'HBM write',
        commands: dma(1000, 'HBM write'), reads: [5], writes: 6, bytes: 16384, macs: 0, listing: 5, hints: [7] },
    ],
    tensors: [
      tensor(0, 'a', 22, 'HBM', 'bf16', 8, 0, 8192, 1, 1, 0, 1000, -1, [0]),
      tensor(1, 'b', 23, 'HBM', 'bf16', 9, 8192, 8192, 1, 1, 0, 1000, -1, [1]),
      tensor(2, 'a', 25, 'DM', 'bf16', 10, 0, 512, 2, 256, 0, 2900, 0, [3]),
      tensor(3, 'b', 26, 'DM', 'bf16', 11, 4096, 512, 2, 256, 0, 1300, 1, [2]),
      tensor(4, 'b', 33, 'TRF', 'bf16', 12, 0, 512, 2, 256, 1000, 2900, 2, [3]),
      tensor(5, 'c', 43, 'DM', 'f32', 13, 8192, 64, 2, 256, 1300, 3900, 3, [4]),
      tensor(6, '', 44, 'HBM', 'f32', 14, 536870912, 16384, 1, 1, 2900, 3900, 4, []),
    ],
    critical: [1, 2, 3, 4],
    gaps: [{ lane: 0, from: 1000, to: 2900, operation: 4 }, { lane: 1, from: 1000, to: 3900, operation: -1 }],
    summary: { macs: 33554432, peak_macs: 4089446400, hbm_bytes: 278528, hbm_peak_bytes: 5850000, intensity: 120.47, ridge: 699.05, bound: 'memory',
      advice: ['DMA 0.0 stands idle for 1,900 cycles before #4: load the next tile there', '`to_hbm` (line 44) writes pieces of 16 bytes: let 256 lie together'] },
  };
}

function tensor(id, name, line, memory, type, mapping, address, bytes, clusters, slices, from, to, writer, readers) {
  return { id, name, file: 0, line, memory, type, mapping, address, bytes, chips: 1, clusters, slices, from, to, writer, readers };
}

// The same document, with what operations share in tables, as contra writes it.
export function shared(doc) {
  const table = texts => new Map(texts.map((text, i) => [text, i]));
  const number = (known, text) => known.get(text) ?? (known.set(text, known.size), known.size - 1);
  const [kinds, costs, texts] = [table([]), table([]), table(doc.texts)];
  doc.operations = doc.operations.map(({ method, context, file, line, source, bound, bytes, macs, hints, commands, uses, ...rest }) => {
    const numbers = commands.map(command => number(costs, JSON.stringify(command)));
    const kind = JSON.stringify({ method, context, file, line, source, bound, bytes, macs, hints, commands: numbers });
    return { ...rest, uses: uses.map(use => [...use, 1]), kind: number(kinds, kind) };
  });
  doc.kinds = [...kinds.keys()].map(kind => JSON.parse(kind));
  doc.costs = [...costs.keys()].map(cost => JSON.parse(cost));
  const lines = doc.texts.map(text => (text.includes('\n') ? text.split('\n').map(line => number(texts, line)) : text));
  doc.texts = [...texts.keys()].map((text, i) => lines[i] ?? text);
  return doc;
}

// The same with the store in larger pieces, quicker by 500 cycles, two lines further down.
export function smallQuicker() {
  const doc = small();
  const store = doc.operations[4];
  doc.cycles = 3400;
  store.end = 3400;
  store.uses = [[0, 2900, 3400]];
  store.line = 46;
  store.bound = 'start-up';
  doc.tensors[5].to = doc.tensors[6].to = 3400;
  doc.gaps[1].to = 3400;
  return doc;
}

// The same with the weights loaded beside the product: every operation takes as long, the kernel 300 cycles less.
export function smallHidden() {
  const doc = small();
  const [, , weights, product, store] = doc.operations;
  weights.critical = false;
  doc.critical = [1, 3, 4];
  doc.cycles = 3600;
  for (const operation of [product, store]) {
    operation.begin -= 300;
    operation.end -= 300;
    for (const use of operation.uses) use[1] -= 300, use[2] -= 300;
  }
  return doc;
}

// ---- many operations

// Numbers in 0..1 that are the same in every run (mulberry32).
export function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

class Generator {
  constructor(size, seed) {
    this.size = size;
    this.next = random(seed);
    this.doc = { ...small(), kernel: 'generated', operations: [], tensors: [], critical: [], gaps: [], axes: [] };
    this.doc.lanes = [...Array.from({ length: 8 }, (_, i) => ({ kind: 'dma', name: `DMA ${i >> 2}.${i & 3}`, cluster: i >> 2, engine: i & 3, busy: 0 })),
      ...structuredClone(LANES.slice(3)).map(lane => ({ ...lane, busy: 0 }))];
    this.free = this.doc.lanes.map(() => 0);
    this.written = [];
  }

  between(low, high) {
    return Math.floor(low + this.next() * (high - low));
  }

  use(lane, from, cycles) {
    this.free[lane] = from + cycles;
    this.doc.lanes[lane].busy += cycles;
    return [lane, from, from + cycles];
  }

  tensor(memory, from, writer, bytes, address) {
    const id = this.doc.tensors.length;
    this.doc.tensors.push(tensor(id, `t${id % 40}`, 10 + (id % 90), memory, 'bf16', 10, address, bytes, 2, 256, from, from, writer, []));
    return id;
  }

  read(id, reader, until) {
    const one = this.doc.tensors[id];
    one.readers.push(reader);
    one.to = Math.max(one.to, until);
  }

  // Load, load, weights, product, store, in turns; each waits for what it reads and for its lane.
  operation(i) {
    const kind = i % 5;
    const lane = kind < 2 || kind === 4 ? this.between(0, 8) : kind === 2 ? 10 : 9;
    const reads = kind < 2 ? [] : [this.written[i - 1], ...(kind === 3 ? [this.written[i - 2]] : [])];
    const ready = Math.max(0, ...reads.map(id => this.doc.operations[this.doc.tensors[id].writer].end));
    const begin = Math.max(ready, this.free[lane]);
    const cycles = kind === 3 ? this.between(100, 900) : this.between(60, 500);
    const memory = kind === 2 ? 'TRF' : kind === 4 ? 'HBM' : 'DM';
    const bytes = 512 << this.between(0, 4);
    const address = memory === 'TRF' ? (i % 10 < 5 ? 0 : 32768) : memory === 'HBM' ? this.between(0, 4096) * 65536 : this.between(0, 60) * 8192;
    const writes = this.tensor(memory, begin, i, bytes, address);
    this.written[i] = writes;
    for (const id of reads) this.read(id, i, begin + cycles);
    this.doc.tensors[writes].to = begin + cycles;
    const uses = [this.use(lane, begin, cycles)];
    if (kind === 3) uses.push(this.use(11, Math.max(begin, this.free[11]), Math.floor(cycles / 3)));
    if (kind < 2 || kind === 4) {
      uses.push([12, begin, begin + Math.floor(cycles * 0.8)]);
      this.doc.lanes[12].busy += Math.floor(cycles * 0.4);
    }
    this.doc.operations.push({
      method: ['to_dm', 'to_dm', 'to_trf', 'commit', 'to_hbm'][kind], context: ['tdma', 'tdma', 'sub', 'main', 'tdma'][kind], file: 0,
      line: 20 + (i % 60), source: i % 5, begin, end: begin + cycles, slack: i % 3 ? this.between(0, 500) : 0, critical: i % 7 === 3, uses,
      waits: reads.length ? [wait('raw', this.doc.tensors[reads[0]].writer, ready, { memory: 'DM', from: 0, to: 512 })] : [],
      bound: ['HBM read', 'DM write', 'fetch', 'contraction', 'HBM write'][kind],
      commands: [{ cycles, bound: 'fetch', parts: [part('fetch', cycles, 20), part('collect', cycles >> 1, 12)] }],
      reads, writes, bytes, macs: kind === 3 ? 32768 : 0, listing: 6, hints: [],
    });
  }

  all() {
    for (let i = 0; i < this.size; i++) this.operation(i);
    this.doc.cycles = Math.max(...this.free);
    this.doc.least = this.doc.most = this.doc.cycles;
    this.doc.critical = this.doc.operations.flatMap((operation, i) => (operation.critical ? [i] : []));
    return this.doc;
  }
}

// As contra writes it.
export const many = (size, seed = 1) => shared(new Generator(size, seed).all());
