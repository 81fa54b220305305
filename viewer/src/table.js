// The operations as a table that is always there for keyboard and screen reader: a grid of which only the rows in sight exist.
import { make } from './dom.js';
import { count } from './format.js';
import { duration, kindOfOperation, textOf } from './document.js';

const ROW = 26; // pixels
const SPARE = 6; // rows beyond the edges
const TALLEST = 8e6; // pixels that browsers scroll reliably; a longer list is scrolled in proportion

// `down`: the largest first, until asked for the smallest.
const COLUMNS = [
  { name: '#', title: 'number in the program', value: (_, id) => id, key: (_, id) => id, number: true },
  { name: 'Operation', title: 'method', value: operation => operation.method, key: operation => operation.method },
  { name: 'Line', title: 'line of the source', value: operation => (operation.line > 0 ? operation.line : ''), key: operation => operation.line, number: true },
  { name: 'Begin', title: 'first cycle', value: operation => count(operation.begin), key: operation => operation.begin, number: true },
  { name: 'Cycles', title: 'from begin to end', value: operation => count(duration(operation)), key: operation => duration(operation), number: true, down: true },
  { name: 'Slack', title: 'cycles that it may end later', value: operation => count(operation.slack ?? 0), key: operation => operation.slack ?? 0, number: true, down: true },
];

export class OperationTable {
  constructor(app) {
    this.app = app;
    this.sorted = 3;
    this.down = false;
    this.at = 0;
    this.head = make('div', { class: 'row head', role: 'row', 'aria-rowindex': 1 }, COLUMNS.map((column, i) => this.headCell(column, i)));
    this.space = make('div', { class: 'space', role: 'presentation' });
    this.view = make('div', { class: 'rows', role: 'grid', tabindex: 0, id: 'operations-grid', 'aria-label': 'Operations', onscroll: () => this.draw() },
      this.head, this.space);
    this.note = make('p', { class: 'muted' });
    this.element = make('div', { class: 'table' }, this.note, this.view);
    this.view.addEventListener('keydown', event => this.key(event));
    this.view.addEventListener('click', event => this.click(event));
    this.view.addEventListener('dblclick', () => this.read());
    new ResizeObserver(() => this.draw()).observe(this.view);
  }

  headCell(column, i) {
    return make('div', { role: 'columnheader', class: column.number ? 'number' : '', title: column.title },
      make('button', { type: 'button', onclick: () => this.turn(i) }, column.name));
  }

  // Those that a search found, or all.
  show(pane, found) {
    this.pane = pane;
    this.found = found;
    this.sort();
  }

  // By another column, or by the same one the other way round.
  turn(column) {
    this.down = column === this.sorted ? !this.down : Boolean(COLUMNS[column].down);
    this.sorted = column;
    this.sort();
  }

  sort() {
    const { operations } = this.pane.schedule;
    const ids = this.inOrder();
    this.ids = ids;
    [...this.head.children].forEach((cell, i) => cell.setAttribute('aria-sort', i !== this.sorted ? 'none' : this.down ? 'descending' : 'ascending'));
    this.view.setAttribute('aria-rowcount', String(ids.length + 1));
    this.view.setAttribute('aria-colcount', String(COLUMNS.length));
    this.note.textContent = this.found ? `${count(ids.length)} of ${count(operations.length)} operations match` : `${count(ids.length)} operations`;
    this.space.style.height = `${Math.min(ids.length * ROW, TALLEST)}px`;
    this.rank = null;
    const chosen = ids.findIndex(id => this.app.isSelected(this.pane, 'operation', id));
    this.moveTo(chosen >= 0 ? chosen : Math.min(this.at, ids.length - 1));
  }

  inOrder() {
    const { operations, order } = this.pane.schedule;
    const ids = Array.from(this.found ? this.found.list : order);
    const { key } = COLUMNS[this.sorted];
    const way = this.down ? -1 : 1;
    return ids.sort((a, b) => way * compareKeys(key(operations[a], a), key(operations[b], b)) || a - b);
  }

  // Pixels of scrolling that stand for one row: ROW, less where the list is taller than browsers can scroll.
  get pitch() {
    return this.ids.length * ROW > TALLEST ? TALLEST / this.ids.length : ROW;
  }

  draw() {
    if (!this.ids || this.view.clientHeight === 0) return;
    const first = Math.max(Math.floor(this.view.scrollTop / this.pitch) - SPARE, 0);
    const last = Math.min(first + Math.ceil(this.view.clientHeight / ROW) + 2 * SPARE, this.ids.length);
    const rows = [];
    const offset = this.view.scrollTop - Math.floor(this.view.scrollTop / this.pitch) * this.pitch;
    const top = this.view.scrollTop - offset - (Math.floor(this.view.scrollTop / this.pitch) - first) * ROW;
    for (let i = first; i < last; i++) rows.push(this.row(i, top + (i - first) * ROW));
    this.space.replaceChildren(...rows);
    this.view.setAttribute('aria-activedescendant', this.ids.length > 0 ? `row-${this.at}` : '');
  }

  row(i, top) {
    const id = this.ids[i];
    const { schedule } = this.pane;
    const operation = schedule.operations[id];
    const chosen = this.app.isSelected(this.pane, 'operation', id);
    const classes = ['row', chosen && 'chosen', i === this.at && 'active', operation.critical && 'on-path'].filter(Boolean).join(' ');
    return make('div', { class: classes, role: 'row', id: `row-${i}`, 'data-id': id, 'aria-rowindex': i + 2, 'aria-selected': String(chosen),
      title: textOf(schedule, operation.source), style: { top: `${top}px` } },
    COLUMNS.map((column, c) => make('div', { role: 'gridcell', class: column.number ? 'number' : '' },
      c === 1 && make('span', { class: `dot ${kindOfOperation(schedule, operation)}`, 'aria-hidden': 'true' }), column.value(operation, id))));
  }

  moveTo(i) {
    this.at = Math.max(Math.min(i, this.ids.length - 1), 0);
    const top = this.at * this.pitch;
    const room = this.view.clientHeight - 2 * ROW;
    if (top < this.view.scrollTop) this.view.scrollTop = top;
    else if (top > this.view.scrollTop + room) this.view.scrollTop = top - room;
    this.draw();
  }

  // Follows what is selected elsewhere.
  follow(id) {
    if (!this.ids) return;
    this.rank ??= new Map(this.ids.map((one, i) => [one, i]));
    if (this.rank.has(id)) this.moveTo(this.rank.get(id));
    else this.draw();
  }

  key(event) {
    const page = Math.max(Math.floor(this.view.clientHeight / ROW) - 2, 1);
    const moves = { ArrowDown: this.at + 1, ArrowUp: this.at - 1, PageDown: this.at + page, PageUp: this.at - page, Home: 0, End: this.ids.length - 1 };
    if (event.key in moves) this.moveTo(moves[event.key]);
    else if (event.key === 'Enter' && event.target === this.view) this.read();
    else if (event.key === ' ' && event.target === this.view) this.choose(this.at);
    else return;
    event.preventDefault();
    if (event.key in moves && this.ids.length > 0) this.choose(this.at);
  }

  click(event) {
    const row = event.target.closest('[data-id]');
    if (!row) return;
    this.at = Number(row.id.slice('row-'.length));
    this.choose(this.at);
  }

  read() {
    this.choose(this.at);
    if (this.ids.length > 0) this.app.readSelection();
  }

  choose(i) {
    if (i < this.ids.length) this.app.selectThing(this.pane, { kind: 'operation', id: this.ids[i] }, true, 'table');
  }
}

const compareKeys = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
