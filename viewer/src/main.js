// Starts the page: buttons, keys, files, theme.
import { byId } from './dom.js';
import { App } from './app.js';
import { acceptDrops, embeddedSchedule, openFile } from './files.js';
import { ScheduleError } from './document.js';
import { keepAddress } from './state.js';

function showMessage(title, text) {
  byId('message-title').textContent = title;
  byId('message-text').textContent = text;
  byId('message').hidden = false;
  byId('message-close').focus();
}

function hideMessage() {
  byId('message').hidden = true;
}

const explain = error => (error instanceof ScheduleError ? error.message : `This is a mistake in the page: ${error.message}`);

async function receive(app, file, how) {
  try {
    const schedule = await openFile(file);
    hideMessage();
    if (how === 'open') keepAddress('');
    if (how === 'compare') app.compareWith(schedule, file.name);
    else app.open(schedule, file.name);
  } catch (error) {
    showMessage(`${file.name} cannot be shown`, explain(error));
  }
}

function chooseFile(app, how) {
  const input = byId('file');
  input.value = '';
  input.onchange = () => input.files[0] && receive(app, input.files[0], how);
  input.click();
}

// ---- theme: the system's, until the button says otherwise

const systemDark = matchMedia('(prefers-color-scheme: dark)');

const isDark = () => (document.documentElement.dataset.theme ?? (systemDark.matches ? 'dark' : 'light')) === 'dark';

function toggleTheme(app) {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
  byId('theme').setAttribute('aria-pressed', String(isDark()));
  try {
    localStorage.setItem('contra-theme', document.documentElement.dataset.theme);
  } catch { /* a page from a file may have no storage; the theme then lasts as long as the page */ }
  app.themeChanged();
}

function restoreTheme() {
  try {
    const theme = localStorage.getItem('contra-theme');
    if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
  } catch { /* as above */ }
  byId('theme').setAttribute('aria-pressed', String(isDark()));
}

// ---- keys that hold everywhere but in fields

const PAGE_KEYS = {
  '/': () => byId('search').focus(),
  '?': () => byId('help').showModal(),
  c: app => app.toggleCritical(),
  t: app => toggleTheme(app),
  z: app => app.zoomToRange(),
  Escape: app => app.clear(),
};

const MODIFIERS = ['Shift', 'Control', 'Alt', 'Meta']; // go with the pointer

function pageKey(app, event) {
  if (event.key === 'Escape' && !byId('message').hidden) {
    hideMessage();
    return;
  }
  const field = event.target.closest?.('input, select, textarea, dialog');
  if (field || event.ctrlKey || event.metaKey || event.altKey || !app.first) return;
  const run = PAGE_KEYS[event.key];
  if (!run) return;
  event.preventDefault();
  run(app);
}

function searchKey(app, event) {
  if (event.key === 'Escape') {
    app.runSearch('');
    app.first.canvas.focus();
  } else if (event.key === 'Enter') app.step(app.first, event.shiftKey ? -1 : 1);
}

function listenToPage(app) {
  const click = (id, run) => byId(id).addEventListener('click', run);
  for (const id of ['open', 'welcome-open']) click(id, () => chooseFile(app, 'open'));
  click('compare', () => chooseFile(app, 'compare'));
  click('critical', () => app.toggleCritical());
  click('theme', () => toggleTheme(app));
  click('fit', () => app.first.fit());
  click('zoom-in', () => app.first.zoom(1 / 1.6));
  click('zoom-out', () => app.first.zoom(1.6));
  click('idle', () => app.toggleIdle());
  click('keys', () => byId('help').showModal());
  click('help-close', () => byId('help').close());
  click('message-close', hideMessage);
  byId('colour').addEventListener('change', event => app.setColour(event.target.value));
  byId('search').addEventListener('input', event => app.runSearch(event.target.value));
  byId('search').addEventListener('keydown', event => searchKey(app, event));
  addEventListener('keydown', event => { if (!MODIFIERS.includes(event.key)) app.forgetPointer(); }, true);
  addEventListener('keydown', event => pageKey(app, event));
  systemDark.addEventListener('change', () => app.themeChanged());
  for (const link of document.querySelectorAll('.skip a')) link.addEventListener('click', event => skipTo(app, event));
  acceptDrops(byId('drop'), (file, how) => receive(app, file, how));
}

// The hash is the view's, so skip links move the focus themselves.
function skipTo(app, event) {
  event.preventDefault();
  const where = event.target.dataset.to;
  if (where === 'operations') app.tabs.show('operations');
  const target = { timeline: app.first?.canvas, operations: byId('operations-grid'), details: byId('tabs').querySelector('[tabindex="0"]') }[where];
  target?.focus();
}

function start() {
  restoreTheme();
  const app = new App();
  listenToPage(app);
  try {
    const schedule = embeddedSchedule();
    if (schedule) app.open(schedule, '');
  } catch (error) {
    showMessage('The schedule in this page cannot be shown', explain(error));
  }
  return app;
}

start();
