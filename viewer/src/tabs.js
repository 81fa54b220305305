// Tabs after the ARIA pattern: arrows move between them, one is in the order of focus.
import { byId } from './dom.js';

export class Tabs {
  constructor(list, shown) {
    this.buttons = [...list.querySelectorAll('[role=tab]')];
    this.shown = shown;
    this.current = 'summary';
    for (const button of this.buttons) button.addEventListener('click', () => this.show(button.dataset.tab));
    list.addEventListener('keydown', event => this.key(event));
  }

  show(name) {
    if (!this.buttons.some(button => button.dataset.tab === name && !button.hidden)) return;
    this.current = name;
    for (const button of this.buttons) {
      const on = button.dataset.tab === name;
      button.setAttribute('aria-selected', String(on));
      button.tabIndex = on ? 0 : -1;
      byId(`panel-${button.dataset.tab}`).hidden = !on;
    }
    this.shown(name);
  }

  enable(name, on) {
    this.buttons.find(button => button.dataset.tab === name).hidden = !on;
  }

  key(event) {
    const open = this.buttons.filter(button => !button.hidden);
    const at = open.findIndex(button => button.dataset.tab === this.current);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: open.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const button = open[(to + open.length) % open.length];
    this.show(button.dataset.tab);
    button.focus();
  }
}
