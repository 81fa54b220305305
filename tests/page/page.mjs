// Makes the page as the build does, and puts a schedule into it as `contra schedule --html` does.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const OUT = `${ROOT}build/page/`;

let made = '';

export function template() {
  if (made) return made;
  mkdirSync(OUT, { recursive: true });
  execFileSync('cmake', [`-DOUT=${OUT}page.html`, '-P', `${ROOT}cmake/page.cmake`]);
  made = readFileSync(`${OUT}page.html`, 'utf8');
  return made;
}

// The URL of a page with `text` in the place of the schedule.
export function writePage(name, text) {
  const page = template().replace('/*CONTRA_SCHEDULE*/', () => text.replaceAll('</', '<\\/'));
  writeFileSync(`${OUT}${name}.html`, page);
  return pathToFileURL(`${OUT}${name}.html`).href;
}

export function writeJson(name, text) {
  mkdirSync(OUT, { recursive: true });
  writeFileSync(`${OUT}${name}`, text);
  return `${OUT}${name}`;
}
