// Opens files: schedules as JSON, pages that contra wrote, and, where contra serves the page, object files.
import { parseSchedule, ScheduleError } from './document.js';

const EMBEDDED = /<script type="application\/json" id="schedule">([\s\S]*?)<\/script>/;

const isServed = () => location.protocol === 'http:' || location.protocol === 'https:';

// Object files are CBOR: only contra reads them.
async function openObject(file) {
  if (!isServed())
    throw new ScheduleError(`An object file needs contra to schedule it: contra schedule ${file.name} --html out.html makes a page of it, ` +
      `contra view ${file.name} opens it here.`);
  const answer = await fetch(`/open?${new URLSearchParams({ name: file.name })}`, { method: 'POST', body: file });
  const text = await answer.text();
  if (!answer.ok) throw new ScheduleError(refusal(text) || `contra answered ${answer.status}`);
  return parseSchedule(text);
}

// What contra says against a file, from its diagnostics as JSON: a paragraph for each, its notes and helps behind.
export function refusal(text) {
  try {
    return JSON.parse(text).map(one => [`${one.message} (${one.code}).`, ...[...one.notes, ...one.helps].map(more => `${more.text}.`)].join(' ')).join('\n\n');
  } catch {
    return text.trim(); // a word of the server itself
  }
}

// A page holds a schedule in the place that the tool writes it to.
function scheduleInPage(text) {
  const found = EMBEDDED.exec(text);
  const schedule = found ? found[1].trim() : '';
  if (schedule === '' || schedule.startsWith('/*')) throw new ScheduleError('this page holds no schedule: contra schedule FILE --kernel K --html K.html writes one that does');
  return parseSchedule(schedule);
}

export async function openFile(file) {
  if (/\.tcpo$/i.test(file.name)) return openObject(file);
  if (/\.rs$/i.test(file.name))
    throw new ScheduleError(`This is a source, which contra has to schedule: contra schedule ${file.name} --kernel K --html K.html makes a page of it.`);
  const text = await file.text();
  return /\.html?$/i.test(file.name) ? scheduleInPage(text) : parseSchedule(text);
}

// What the page came with; null: nothing, it was opened empty. The tool writes it in place of a marker.
export function embeddedSchedule() {
  const text = document.getElementById('schedule').textContent.trim();
  return text === '' || text.startsWith('/*') ? null : parseSchedule(text);
}

// Files dragged over the window: the left half opens, the right half compares.
export function acceptDrops(zone, receive) {
  let depth = 0;
  const hide = () => {
    depth = 0;
    zone.hidden = true;
  };
  addEventListener('dragenter', event => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    depth++;
    zone.hidden = false;
  });
  addEventListener('dragleave', () => {
    if (--depth <= 0) hide();
  });
  addEventListener('dragover', event => event.preventDefault());
  addEventListener('drop', event => {
    event.preventDefault();
    const target = event.target.closest?.('[data-drop]')?.dataset.drop ?? 'open';
    const files = [...(event.dataTransfer?.files ?? [])];
    hide();
    if (files[0]) receive(files[0], target);
    if (files[1]) receive(files[1], 'compare');
  });
}
