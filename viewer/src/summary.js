// The panel that says how the kernel does: cycles, utilisation, roofline, advice, gaps, the longest operations, the costly lines.
import { make, prose, shape } from './dom.js';
import { amount, brief, clockTime, count, percent, plural, laneRange } from './format.js';
import { duration, longestOf } from './document.js';
import { laneBars, operationLink } from './inspector.js';
import { linesOf } from './compare.js';

const LONGEST = 10;

export function summarise(app, pane) {
  const { schedule } = pane;
  return [headline(schedule), utilisation(schedule), advice(schedule), roofline(schedule),
    longest(app, pane), costlyLines(app, pane), gaps(app, pane), about(schedule)];
}

function headline(schedule) {
  const { doc } = schedule;
  const time = clockTime(doc.cycles, doc.clock_mhz);
  const between = doc.least >= 0 && doc.most > doc.least ? `between ${count(doc.least)} and ${count(doc.most)}` : '';
  return make('section', { class: 'headline' },
    make('h2', { class: 'big' }, make('b', { id: 'total-cycles' }, count(doc.cycles)), ' cycles'),
    make('p', { class: 'muted' }, [time && `${time} at ${count(doc.clock_mhz)} MHz`, between].filter(Boolean).join(' \u00b7 ')),
    make('p', { class: 'muted' }, `${plural(schedule.operations.length, 'operation')}, ${plural(schedule.tensors.length, 'tensor')}, ` +
      `critical path of ${plural(schedule.critical.length, 'operation')}`));
}

function utilisation(schedule) {
  const cycles = Math.max(schedule.doc.cycles, 1);
  return make('section', {}, make('h3', {}, 'Utilisation'), laneBars(schedule.lanes.map(lane => ({ lane, part: lane.busy / cycles }))));
}

function advice(schedule) {
  const { summary } = schedule;
  return make('section', {}, make('h3', {}, 'Advice'), summary.advice.length > 0
    ? make('ol', { class: 'advice' }, summary.advice.map(text => make('li', {}, prose(text))))
    : make('p', { class: 'muted' }, 'None: contra found nothing that would make this kernel quicker.'));
}

// ---- roofline: MACs a cycle over MACs a byte of HBM, both logarithmic

const CHART = { width: 320, height: 170, left: 42, right: 10, top: 12, bottom: 30 };

function logScale(low, high, from, to) {
  const span = Math.log10(high) - Math.log10(low);
  return value => from + ((Math.log10(value) - Math.log10(low)) / span) * (to - from);
}

function roofline(schedule) {
  const { summary, doc } = schedule;
  const { intensity, ridge, macs, peak_macs: peak } = summary;
  const title = make('h3', {}, 'Roofline');
  if (!(intensity > 0 && ridge > 0 && macs > 0 && peak > 0 && doc.cycles > 0))
    return make('section', {}, title, make('p', { class: 'muted' }, 'No MACs, or no bytes of HBM: it has no place under the roofline.'));
  const rate = macs / doc.cycles;
  const top = peak / doc.cycles;
  const share = rate / Math.min(top, (intensity * top) / ridge);
  return make('section', {}, title, rooflineChart(intensity, ridge, rate, top),
    make('p', { class: 'muted' }, `${brief(intensity)} MACs a byte; the ridge is at ${brief(ridge)}. Bound by ${summary.bound ?? '?'}: `,
      `${amount(rate)} of ${amount(Math.min(top, (intensity * top) / ridge))} MACs a cycle that the roof allows, ${percent(share)}.`));
}

const axisText = value => (value < 1 ? brief(value) : amount(value));

function rooflineChart(intensity, ridge, rate, top) {
  const low = 10 ** Math.floor(Math.log10(Math.min(intensity, ridge) / 4));
  const high = 10 ** Math.ceil(Math.log10(Math.max(intensity, ridge) * 4));
  const roof = at => Math.min(top, (at * top) / ridge);
  const bottom = 10 ** Math.floor(Math.log10(Math.min(rate, roof(low))));
  const x = logScale(low, high, CHART.left, CHART.width - CHART.right);
  const y = logScale(bottom, top * 2, CHART.height - CHART.bottom, CHART.top);
  const line = `M${x(low)} ${y(roof(low))}L${x(ridge)} ${y(top)}L${x(high)} ${y(top)}`;
  const powers = (from, to) => Array.from({ length: Math.round(Math.log10(to / from)) + 1 }, (_, i) => from * 10 ** i);
  return shape('svg', { class: 'roofline', viewBox: `0 0 ${CHART.width} ${CHART.height}`, role: 'img',
    'aria-label': `Roofline: ${brief(intensity)} MACs a byte, ${amount(rate)} MACs a cycle` },
  powers(low, high).map(value => [
    shape('line', { class: 'rule', x1: x(value), x2: x(value), y1: CHART.top, y2: CHART.height - CHART.bottom }),
    shape('text', { x: x(value), y: CHART.height - 18, 'text-anchor': 'middle' }, axisText(value))]),
  powers(bottom, top * 2).filter(value => value <= top * 2).map(value => [
    shape('line', { class: 'rule', x1: CHART.left, x2: CHART.width - CHART.right, y1: y(value), y2: y(value) }),
    shape('text', { x: CHART.left - 5, y: y(value) + 3, 'text-anchor': 'end' }, axisText(value))]),
  shape('path', { class: 'under', d: `${line}V${CHART.height - CHART.bottom}H${x(low)}Z` }), shape('path', { class: 'roof', d: line }),
  shape('line', { class: 'drop', x1: x(intensity), x2: x(intensity), y1: y(roof(intensity)), y2: y(rate) }),
  shape('circle', { class: 'point', cx: x(intensity), cy: y(rate), r: 5 }),
  shape('text', { x: CHART.width - CHART.right, y: CHART.height - 4, 'text-anchor': 'end' }, 'MACs a byte of HBM'),
  shape('text', { x: 2, y: 9 }, 'MACs a cycle'));
}

// ---- lists

function longest(app, pane) {
  const { operations } = pane.schedule;
  const ids = longestOf(pane.schedule, [...operations.keys()], LONGEST);
  if (ids.length === 0) return null;
  return make('section', {}, make('h3', {}, 'Longest operations'),
    make('ol', { class: 'links', 'aria-label': 'Longest operations' }, ids.map(id => make('li', {},
      operationLink(app, pane, id, count(duration(operations[id]))),
      operations[id].bound && make('small', { class: 'muted under-link' }, `bound by ${operations[id].bound}`)))));
}

// Where the critical path spends its cycles, by source line.
function costlyLines(app, pane) {
  const lines = linesOf(pane.schedule).filter(line => line.critical > 0).sort((a, b) => b.critical - a.critical).slice(0, 8);
  if (lines.length === 0) return null;
  const most = lines[0].critical;
  return make('section', {}, make('h3', {}, 'Lines of the critical path'),
    make('ul', { class: 'lines' }, lines.map(line => make('li', {},
      make('button', { class: 'line', type: 'button', onclick: () => app.runSearch(line.line > 0 ? `:${line.line}` : line.text) },
        make('span', { class: 'muted' }, line.line > 0 ? `${line.line}` : ''), make('code', {}, line.text), make('span', { class: 'end' }, count(line.critical)),
        make('span', { class: 'bar', 'aria-hidden': 'true' }, make('span', { class: 'busy critical', style: { width: `${(100 * line.critical) / most}%` } })))))));
}

function gaps(app, pane) {
  const { schedule } = pane;
  if (schedule.gaps.length === 0) return null;
  const left = (schedule.doc.gap_count ?? 0) - schedule.gaps.length;
  return make('section', {}, make('h3', {}, 'Idle gaps of DMA'),
    make('ul', { class: 'links', 'aria-label': 'Idle gaps' }, schedule.gaps.map(gap => make('li', {},
      make('button', { class: 'link', type: 'button', onclick: () => app.showRange(pane, gap) },
        make('span', { class: `dot ${schedule.lanes[gap.lane].kind}`, 'aria-hidden': 'true' }), make('b', {}, laneRange(schedule.lanes, gap.lane, gap.lanes)),
        make('span', { class: 'muted' }, ` ${count(gap.from)} to ${count(gap.to)}`), make('span', { class: 'end' }, count(gap.to - gap.from))),
      make('small', { class: 'muted under-link' }, gap.operation >= 0 ? `ended by #${gap.operation} ${schedule.operations[gap.operation].method}` : 'to the end of the kernel')))),
    left > 0 && make('p', { class: 'muted' }, `and ${count(left)} more that are as long or shorter`));
}

function about(schedule) {
  const { doc } = schedule;
  return make('section', { class: 'about muted' },
    make('p', {}, `Cost model ${doc.cost ?? '?'} on ${doc.machine || '?'}, ${plural(doc.chips ?? 1, 'chip')}. ${doc.error ?? ''}`),
    make('p', {}, `Written by contra ${doc.contra ?? '?'}.`));
}
