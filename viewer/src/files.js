// Opens files: schedules as JSON, pages that contra wrote, and, where contra serves the page, object files.
import { parseSchedule, ScheduleError } from './document.js';

const EMBEDDED = /<script type="application\/json" id="schedule">([\s\S]*?)<\/script>/;

const isServed = () => location.protocol === 'http:' || location.protocol === 'https:';

// Object files are CBOR: only contra reads them.
async function openObject(file) {
  if (!isServed())
    throw new ScheduleError(`An object file needs contra to schedule it: contra schedule ${file.name} --html out.html makes a page of it, ` +
      `contra view ${file.name} opens it here.`);
  const answer = await fetch('/open', { method: 'POST', body: file });
  const text = await answer.text();
  if (!answer.ok) throw new ScheduleError(text.slice(0, 2000) || `contra answered ${answer.status}`);
  return parseSchedule(text);
}

export async function openFile(file) {
  if (/\.tcpo$/i.test(file.name)) return openObject(file);
  const text = await file.text();
  const page = /\.html?$/i.test(file.name) && EMBEDDED.exec(text);
  return parseSchedule(page ? page[1] : text);
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
