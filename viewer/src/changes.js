// The panel of two schedules: the verdict, and what got slower or quicker, by source line.
import { make } from './dom.js';
import { count, percent, signed } from './format.js';

const MOST_ROWS = 400;

export function describeChanges(app, panes, rows) {
  const [first, second] = panes.map(pane => pane.schedule.doc.cycles);
  const change = second - first;
  const word = change < 0 ? 'quicker' : change > 0 ? 'slower' : 'as quick';
  return [
    make('header', { class: 'thing' }, make('h2', { tabindex: -1 }, 'Compared')),
    make('p', { class: 'verdict' }, make('b', { id: 'verdict', class: change < 0 ? 'better' : change > 0 ? 'worse' : '' },
      change === 0 ? 'B is as quick as A' : `B is ${percent(Math.abs(change) / Math.max(first, 1))} ${word}`),
    make('span', { class: 'muted' }, ` ${count(first)} \u2192 ${count(second)} cycles (${signed(change)})`)),
    make('p', { class: 'buttons' },
      make('button', { type: 'button', 'aria-pressed': String(app.link === 'line'), onclick: () => app.setLink('line') }, 'Move together by line'),
      make('button', { type: 'button', 'aria-pressed': String(app.link === 'cycles'), onclick: () => app.setLink('cycles') }, 'by cycle'),
      make('button', { type: 'button', 'aria-pressed': String(app.stacked), onclick: () => app.toggleStacked() }, 'One over the other'),
      make('button', { type: 'button', onclick: () => app.closeSecond() }, 'Close B')),
    changeTable(app, rows),
  ];
}

function changeTable(app, rows) {
  const sorted = rows.slice().sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  const most = Math.max(1, ...rows.map(row => Math.abs(row.change)));
  const head = ['Line', 'Source', 'A', 'B', 'Change'].map((name, i) => make('th', { scope: 'col', class: i > 1 ? 'number' : '' }, name));
  const shown = sorted.slice(0, MOST_ROWS);
  return [make('table', { class: 'changes' }, make('caption', {}, 'Cycles of all operations on a line, the largest change first'),
    make('thead', {}, make('tr', {}, head)), make('tbody', {}, shown.map(row => changeRow(app, row, most)))),
  sorted.length > shown.length && make('p', { class: 'muted' }, `${count(sorted.length - shown.length)} lines with smaller changes are left out`)];
}

function lineNumbers(row) {
  if (row.a && row.b && row.a.line !== row.b.line) return `${row.a.line} \u2192 ${row.b.line}`;
  return String((row.a ?? row.b).line || '');
}

function changeRow(app, row, most) {
  const tone = row.change < 0 ? 'better' : row.change > 0 ? 'worse' : 'same';
  const line = row.a ?? row.b;
  return make('tr', { class: tone },
    make('td', { class: 'muted' }, lineNumbers(row)),
    make('td', {}, make('button', { type: 'button', class: 'line', onclick: () => app.showRow(row) }, make('code', {}, line.text)),
      row.why && make('small', { class: 'muted' }, row.why)),
    make('td', { class: 'number' }, row.a ? count(row.a.cycles) : '\u2013'),
    make('td', { class: 'number' }, row.b ? count(row.b.cycles) : '\u2013'),
    make('td', { class: 'number change' }, row.change === 0 ? '0' : signed(row.change),
      row.change !== 0 && make('span', { class: 'bar', 'aria-hidden': 'true' }, make('span', { class: `busy ${tone}`, style: { width: `${(100 * Math.abs(row.change)) / most}%` } }))));
}
