// Elements without markup: whatever a document says arrives as text, never as HTML.

const SVG = 'http://www.w3.org/2000/svg';

function dress(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'style') Object.assign(element.style, value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

// make('button', {class: 'link', onclick: run}, 'text', otherElement)
export const make = (tag, properties = {}, ...children) =>
  dress(document.createElement(tag), properties, children);

export const shape = (tag, properties = {}, ...children) =>
  dress(document.createElementNS(SVG, tag), properties, children);

// What stands in `backquotes` is code.
export const prose = text => text.split('`').map((part, i) => (i % 2 === 1 ? make('code', {}, part) : part));

export const byId = id => document.getElementById(id);
