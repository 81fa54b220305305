// Numbers and words as people read them.

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export const count = value => grouped.format(value);

export const plural = (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;

// Three digits that count.
export function brief(value) {
  if (value !== 0 && Math.abs(value) < 0.1) return String(Number(value.toPrecision(2)));
  return Math.abs(value) >= 100 ? count(value) : String(Number(value.toPrecision(3)));
}

function scaled(value, base, units) {
  let step = 0;
  while (Math.abs(value) >= base && step < units.length - 1) {
    value /= base;
    step++;
  }
  return `${step === 0 ? count(value) : brief(value)} ${units[step]}`;
}

export const sizeText = value => scaled(value, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB']);

export const amount = value => scaled(value, 1000, ['', 'k', 'M', 'G', 'T', 'P']).trim();

export const hex = value => `0x${value.toString(16)}`;

export const percent = part => `${brief(Math.round(part * 1000) / 10)} %`;

// Cycles as time at the machine's clock; empty where the clock is not known.
export function clockTime(cycles, mhz) {
  if (!(mhz > 0)) return '';
  return scaled((cycles / mhz) * 1000, 1000, ['ns', '\u00b5s', 'ms', 's']);
}

export const signed = value => `${value > 0 ? '+' : value < 0 ? '\u2212' : '\u00b1'}${count(Math.abs(value))}`;

// The last part of a path: what distinguishes files in a narrow column.
export const baseName = path => path.slice(path.lastIndexOf('/') + 1);

// DMA 0.1..0.3: so many lanes from one on.
export function laneRange(lanes, first, together = 1) {
  const last = lanes[first + together - 1].name;
  return together > 1 ? `${lanes[first].name}..${last.slice(last.indexOf(' ') + 1)}` : last;
}
