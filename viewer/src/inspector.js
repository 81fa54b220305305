// The panel for what is selected: an operation, a tensor, or a stretch of cycles and addresses.
import { make, prose } from './dom.js';
import { count, hex, sizeText, amount, brief, clockTime, percent, plural } from './format.js';
import { duration, fileOf, kindOfOperation, longestOf, tensorName, textOf, trfRows } from './document.js';
import { mergeWaits, waitReason, waitTitle } from './waits.js';
import { rangeFacts } from './scene.js';
import { mappingPicture, placePicture } from './pictures.js';

const MOST_LINKS = 60;

// ---- pieces

const heading = text => make('h3', {}, text);

const fact = (name, value, note) => make('div', { class: 'fact' }, make('dt', {}, name), make('dd', {}, value, note && make('small', {}, ` ${note}`)));

const factList = entries => make('dl', { class: 'facts' }, entries.filter(Boolean));

const badge = (text, kind) => make('span', { class: `badge ${kind ?? ''}` }, text);

export function operationLink(app, pane, id, extra) {
  const operation = pane.schedule.operations[id];
  return make('button', { class: 'link', type: 'button', 'data-operation': id, onclick: () => app.selectThing(pane, { kind: 'operation', id }, true) },
    make('span', { class: `dot ${kindOfOperation(pane.schedule, operation)}`, 'aria-hidden': 'true' }),
    make('b', {}, `#${id} ${operation.method}`),
    operation.line > 0 && make('span', { class: 'muted' }, ` line ${operation.line}`),
    extra && make('span', { class: 'end' }, extra));
}

export function tensorLink(app, pane, id, extra) {
  const tensor = pane.schedule.tensors[id];
  return make('button', { class: 'link', type: 'button', 'data-tensor': id, onclick: () => app.selectThing(pane, { kind: 'tensor', id }, true) },
    make('span', { class: 'dot tensor', 'aria-hidden': 'true' }),
    make('b', {}, tensorName(pane.schedule, id)),
    make('span', { class: 'muted' }, ` ${tensor.type ?? ''} ${tensor.memory}${tensor.address >= 0 ? ` ${hex(tensor.address)}` : ''}`),
    make('span', { class: 'end' }, extra ?? sizeText(tensor.bytes)));
}

// The first of `ids` as links that `link` makes: an element for each of 50,000 would take seconds.
function linkList(ids, link, label, total = ids.length) {
  const shown = ids.slice(0, MOST_LINKS).map(id => make('li', {}, link(id)));
  const rest = total - shown.length;
  return make('ul', { class: 'links', 'aria-label': label }, shown, rest > 0 && make('li', { class: 'muted' }, `and ${count(rest)} more`));
}

function sourceLine(schedule, thing, text) {
  if (thing.line <= 0 && !text) return null;
  return make('figure', { class: 'source' },
    make('figcaption', {}, thing.line > 0 ? `${fileOf(schedule, thing) || 'line '}:${thing.line}` : 'source'),
    make('pre', {}, make('code', {}, text || 'the document holds no text of this line')));
}

// ---- an operation

export function inspectOperation(app, pane, id) {
  const { schedule } = pane;
  const operation = schedule.operations[id];
  const kind = kindOfOperation(schedule, operation);
  return [
    make('header', { class: 'thing' },
      make('h2', { tabindex: -1 }, make('span', { class: `dot ${kind}`, 'aria-hidden': 'true' }), `#${id} ${operation.method}`),
      make('p', {}, badge(operation.context || kind, kind), operation.critical && badge('critical', 'critical'),
        operation.bound && badge(`bound by ${operation.bound}`))),
    sourceLine(schedule, operation, textOf(schedule, operation.source)),
    operationFacts(schedule, operation),
    waitsOf(app, pane, operation),
    stagesOf(operation),
    tensorsOf(app, pane, operation),
    hintsOf(schedule, operation),
    listingOf(schedule, operation),
  ];
}

function operationFacts(schedule, operation) {
  const cycles = duration(operation);
  const rate = (value, unit) => (cycles > 0 ? `${brief(value / cycles)} ${unit} a cycle` : '');
  return factList([
    fact('Cycles', count(cycles), clockTime(cycles, schedule.doc.clock_mhz)),
    fact('From', count(operation.begin), `to ${count(operation.end)}`),
    fact('Slack', count(operation.slack ?? 0), operation.slack > 0 ? 'may end later' : 'none'),
    operation.bytes > 0 && fact('Bytes', sizeText(operation.bytes), rate(operation.bytes, 'B')),
    operation.macs > 0 && fact('MACs', amount(operation.macs), rate(operation.macs, 'MACs')),
  ]);
}

function waitsOf(app, pane, operation) {
  if (operation.waits.length === 0) return null;
  const entry = ([wait, ...more], i) => make('li', { class: 'waiting' },
    make('p', {}, badge(i === 0 ? `held up: ${waitTitle(wait)}` : waitTitle(wait), i === 0 ? 'wait' : ''),
      make('span', { class: 'end muted' }, `until ${count(wait.until)}`)),
    make('p', { class: 'muted' }, waitReason(pane.schedule, [wait, ...more])),
    wait.operation >= 0 && operationLink(app, pane, wait.operation));
  return make('section', {}, heading('Why it waited'),
    make('ul', { class: 'waits', 'aria-label': 'What it waited for' }, mergeWaits(operation.waits).slice(0, MOST_LINKS).map(entry)));
}

// Cycles of each stage as bars; the longest is what bounds the command.
function stagesOf(operation) {
  if (operation.commands.length === 0) return null;
  return make('section', {}, heading('Cycles of each stage'),
    operation.commands.map((command, i) => stageChart(command, operation.commands.length > 1 ? `Command ${i}` : '')));
}

// The part that bounds the command is named; another that takes as long bounds it as much.
function stageChart(command, title) {
  const most = Math.max(1, ...command.parts.map(part => part.busy + part.latency));
  const slowest = Math.max(...command.parts.map(part => part.busy));
  const limit = command.parts.find(part => part.part === command.bound)?.busy ?? slowest;
  const bounds = part => part.part === command.bound || part.busy === limit;
  return make('div', { class: 'stages' },
    title && make('p', { class: 'muted' }, `${title}: ${count(command.cycles)} cycles, bound by ${command.bound ?? '?'}`),
    make('ul', { 'aria-label': `Stages${title && ` of ${title}`}` }, command.parts.map(part => stageBar(part, most, bounds(part)))),
    stageNote(command));
}

// How cycles of stages become those of the command: they do not add up.
const STAGE_NOTES = {
  pass: 'Stages run side by side. Each begins when those before it have filled (latency: from its first input to its first output), and its last ' +
    'output drains through those behind it. The longest way counts: fill, stage, drain.',
  dma: 'Behind the start-up all parts run side by side: the longest counts.',
  registers: 'The registers of the topology are written before the pass.',
};

function stageNote(command) {
  const has = name => command.parts.some(part => part.part === name);
  const isWhole = has('pass'); // costed as a whole, not by its stages
  const notes = [has('start-up') ? STAGE_NOTES.dma : !isWhole && STAGE_NOTES.pass, has('registers') && STAGE_NOTES.registers];
  return command.parts.length > 1 && make('p', { class: 'muted stage-sum' }, [`${count(command.cycles)} cycles in all.`, ...notes].filter(Boolean).join(' '));
}

function stageBar(part, most, isBottleneck) {
  const width = cycles => ({ width: `${(100 * cycles) / most}%` });
  return make('li', { class: isBottleneck ? 'stage bottleneck' : 'stage' },
    make('span', { class: 'stage-name' }, part.part, isBottleneck && badge('bottleneck', 'bottleneck')),
    make('span', { class: 'stage-cycles' }, count(part.busy), part.latency > 0 && make('small', {}, ` + ${count(part.latency)} latency`)),
    make('span', { class: 'bar', 'aria-hidden': 'true' },
      make('span', { class: 'busy', style: width(part.busy) }), make('span', { class: 'latency', style: width(part.latency) })),
    make('small', { class: 'muted stage-note' }, [part.origin && `from ${part.origin}`, part.rule, part.note].filter(Boolean).join(' \u00b7 ')));
}

function tensorsOf(app, pane, operation) {
  if (operation.reads.length === 0 && operation.writes < 0) return null;
  return make('section', {},
    operation.reads.length > 0 && [heading('Reads'), linkList(operation.reads, id => tensorLink(app, pane, id), 'Reads')],
    operation.writes >= 0 && [heading('Writes'), linkList([operation.writes], id => tensorLink(app, pane, id), 'Writes')]);
}

function hintsOf(schedule, operation) {
  if (operation.hints.length === 0) return null;
  return make('section', {}, heading('Would be quicker'),
    make('ul', { class: 'advice' }, operation.hints.map(hint => make('li', {}, prose(schedule.texts[hint])))));
}

function listingOf(schedule, operation) {
  const text = textOf(schedule, operation.listing);
  if (!text) return null;
  return make('details', { open: true }, make('summary', {}, 'Mappings and configuration'), make('pre', { class: 'listing', tabindex: 0 }, text));
}

// ---- a tensor

export function inspectTensor(app, pane, id) {
  const { schedule } = pane;
  const tensor = schedule.tensors[id];
  return [
    make('header', { class: 'thing' },
      make('h2', { tabindex: -1 }, make('span', { class: 'dot tensor', 'aria-hidden': 'true' }), tensorName(schedule, id)),
      make('p', {}, badge(tensor.memory), badge(tensor.type ?? ''), tensor.writer < 0 && badge('comes with the call'))),
    sourceLine(schedule, tensor, textOf(schedule, tensor.mapping)),
    factList([
      tensor.address >= 0 && fact('Address', hex(tensor.address), addressNote(schedule, tensor)),
      fact('Bytes', sizeText(tensor.bytes), 'in each place'),
      fact('Places', count(tensor.chips * tensor.clusters * tensor.slices), placesText(tensor)),
      fact('Alive', count(tensor.to - tensor.from), `cycles, ${count(tensor.from)} to ${count(tensor.to)}`),
    ]),
    mappingPicture(schedule, tensor),
    placePicture(schedule, tensor),
    tensor.writer >= 0 && make('section', {}, heading('Written by'), linkList([tensor.writer], writer => operationLink(app, pane, writer), 'Written by')),
    make('section', {}, heading(`Read by ${plural(tensor.readers.length, 'operation')}`),
      linkList(tensor.readers, reader => operationLink(app, pane, reader), 'Read by')),
  ];
}

function addressNote(schedule, tensor) {
  const end = `to ${hex(tensor.address + tensor.bytes)}`;
  return tensor.memory === 'TRF' ? `${end}, counted over all ${trfRows(schedule)} rows` : end;
}

function placesText(tensor) {
  const parts = [[tensor.chips, 'chip'], [tensor.clusters, 'cluster'], [tensor.slices, 'slice']].filter(([size]) => size > 1);
  return parts.map(([size, name]) => plural(size, name)).join(' \u00d7 ');
}

// ---- a stretch

export function inspectRange(app, pane, range) {
  const facts = rangeFacts(pane.schedule, range);
  const longest = longestOf(pane.schedule, facts.operations, MOST_LINKS);
  const span = Math.max(range.to - range.from, 1);
  return [
    make('header', { class: 'thing' }, make('h2', { tabindex: -1 }, 'Brushed'),
      make('p', {}, badge(`${count(range.from)} to ${count(range.to)}`), range.memory && badge(`${range.memory} ${hex(range.low)} to ${hex(range.high)}`))),
    make('p', { class: 'buttons' },
      make('button', { type: 'button', onclick: () => app.zoomToRange() }, 'Zoom to it (z)'),
      make('button', { type: 'button', onclick: () => app.setRange(pane, null) }, 'Clear (Esc)')),
    factList([
      fact('Cycles', count(range.to - range.from), clockTime(range.to - range.from, pane.schedule.doc.clock_mhz)),
      fact('Operations', count(facts.operations.length)),
      fact('Tensors alive', count(facts.tensors.length)),
    ]),
    !range.memory && make('section', {}, heading('Busy'), laneBars(facts.lanes.map(({ lane, busy }) => ({ lane, part: busy / span })))),
    facts.tensors.length > 0 && make('section', {}, heading('Tensors'), linkList(facts.tensors, id => tensorLink(app, pane, id), 'Tensors')),
    longest.length > 0 && make('section', {}, heading('Operations, longest first'),
      linkList(longest, id => operationLink(app, pane, id, count(duration(pane.schedule.operations[id]))), 'Operations', facts.operations.length)),
  ];
}

export function laneBars(entries) {
  const busy = entries.filter(({ part }) => part > 0);
  const idle = entries.length - busy.length;
  return make('ul', { class: 'lane-bars' }, busy.map(({ lane, part }) => make('li', {},
    make('span', {}, lane.name),
    make('span', { class: 'bar', 'aria-hidden': 'true' }, make('span', { class: `busy ${lane.kind}`, style: { width: `${Math.min(part, 1) * 100}%` } })),
    make('span', { class: 'end' }, percent(part)))),
    idle > 0 && make('li', { class: 'muted' }, `${plural(idle, 'lane')} idle`));
}
