// The panel of two schedules: the verdict, and what got slower or quicker, by source line.
import { make } from './dom.js';
import { count, percent, signed } from './format.js';

const MOST_ROWS = 400;

// What makes cycles of two schedules incomparable: they are counted in different ways, or on different machines.
const GROUNDS = [['cost', 'cost models'], ['machine', 'machines'], ['clock_mhz', 'clocks in MHz'], ['chips', 'numbers of chips']];

function differences(panes) {
  const [a, b] = panes.map(pane => pane.schedule.doc);
  return GROUNDS.filter(([key]) => (a[key] ?? '') !== (b[key] ?? '')).map(([key, name]) => `${name} differ: ${a[key] || 'not stated'} and ${b[key] || 'not stated'}`);
}

const toneOf = change => (change < 0 ? 'better' : change > 0 ? 'worse' : 'same');

function verdict(panes) {
  const [first, second] = panes.map(pane => pane.schedule.doc.cycles);
  const change = second - first;
  const grounds = differences(panes);
  return [
    grounds.length > 0 && make('p', { id: 'grounds', class: 'caution' }, make('b', {}, `The ${grounds.join('; the ')}.`),
      ' So the cycles of A and B do not say which program is quicker.'),
    make('p', { class: 'verdict' }, make('b', { id: 'verdict', class: grounds.length > 0 ? 'same' : toneOf(change) },
      change === 0 ? 'B is as quick as A' : `B is ${percent(Math.abs(change) / Math.max(first, 1))} ${change < 0 ? 'quicker' : 'slower'}`),
    make('span', { class: 'muted' }, ` ${count(first)} \u2192 ${count(second)} cycles (${signed(change)})`)),
  ];
}

export function describeChanges(app, panes, rows) {
  return [
    make('header', { class: 'thing' }, make('h2', { tabindex: -1 }, 'Compared')),
    verdict(panes),
    make('p', { class: 'buttons' },
      make('button', { type: 'button', 'aria-pressed': String(app.link === 'line'), onclick: () => app.setLink('line') }, 'Move together by line'),
      make('button', { type: 'button', 'aria-pressed': String(app.link === 'cycles'), onclick: () => app.setLink('cycles') }, 'by cycle'),
      make('button', { type: 'button', 'aria-pressed': String(app.stacked), onclick: () => app.toggleStacked() }, 'One over the other'),
      make('button', { type: 'button', onclick: () => app.closeSecond() }, 'Close B')),
    changeTable(app, rows, differences(panes).length > 0 ? () => 'same' : toneOf),
  ];
}

const allChange = row => Math.abs((row.b?.cycles ?? 0) - (row.a?.cycles ?? 0));

function changeTable(app, rows, tone) {
  const sorted = rows.slice().sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || allChange(b) - allChange(a));
  const most = Math.max(1, ...rows.map(row => Math.abs(row.change)));
  const head = ['Line', 'Source', 'A', 'B', 'Change'].map((name, i) => make('th', { scope: 'col', class: i > 1 ? 'number' : '' }, name));
  const shown = sorted.slice(0, MOST_ROWS);
  return [make('table', { class: 'changes' }, make('caption', {}, 'Cycles on the critical path, by line, the largest change first'),
    make('thead', {}, make('tr', {}, head)), make('tbody', {}, shown.map(row => changeRow(app, row, most, tone(row.change))))),
  sorted.length > shown.length && make('p', { class: 'muted' }, `${count(sorted.length - shown.length)} lines with smaller changes are left out`)];
}

function lineNumbers(row) {
  if (row.a && row.b && row.a.line !== row.b.line) return `${row.a.line} \u2192 ${row.b.line}`;
  return String((row.a ?? row.b).line || '');
}

// What is no line of the source leads to who waited, if anybody did.
function sourceOf(app, row, line) {
  if (line.operations.length === 0 && line.waiting < 0) return line.text;
  return make('button', { type: 'button', class: 'line', onclick: () => app.showRow(row) }, make('code', {}, line.text));
}

function changeRow(app, row, most, tone) {
  const line = row.a ?? row.b;
  return make('tr', { class: tone },
    make('td', { class: 'muted' }, lineNumbers(row)),
    make('td', {}, sourceOf(app, row, line),
      row.why && make('small', { class: 'muted' }, row.why)),
    make('td', { class: 'number' }, row.a ? count(row.a.critical) : '\u2013'),
    make('td', { class: 'number' }, row.b ? count(row.b.critical) : '\u2013'),
    make('td', { class: 'number change' }, row.change === 0 ? '0' : signed(row.change),
      row.change !== 0 && make('span', { class: 'bar', 'aria-hidden': 'true' }, make('span', { class: `busy ${tone}`, style: { width: `${(100 * Math.abs(row.change)) / most}%` } }))));
}
