// The commands behind lenses, with a server and without the editor; explanations of codes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { commandMiddleware, commandNames, targets } from '../src/commands.js';
import { codeOfPath, isCode, markdown, pathOfCode } from '../src/explain.js';
import { pageForPanel } from '../src/page.js';
import { Server } from './server.js';

const KERNEL = 'examples/hello/constant_add.rs';
let server, uri, lenses;
before(async () => {
  server = await Server.start();
  uri = server.open(KERNEL);
  lenses = await server.ask('textDocument/codeLens', { textDocument: { uri } });
});
after(() => server.end());

// An editor that writes down what it was told to show.
function fakeView(chosen) {
  const shown = { printed: '', pages: [], revealed: false };
  const view = {
    choose: async () => chosen,
    seconds: () => 30,
    print: (text) => (shown.printed += `${text}\n`),
    reveal: () => (shown.revealed = true),
    page: (target, html) => shown.pages.push([target.name, html]),
  };
  return { view, shown };
}

const next = (command, given) => server.ask('workspace/executeCommand', { command, arguments: given });

test('lenses say what each command is for', () => {
  assert.deepEqual(targets(lenses, 'contra.run').map((each) => each.uri), [uri]);
  assert.deepEqual(targets(lenses, 'contra.schedule'), targets(lenses, 'contra.run'));
  assert.ok(targets(lenses, 'contra.test').length > 0);
});

test('a kernel runs', async () => {
  const { view, shown } = fakeView();
  const [target] = targets(lenses, 'contra.run');
  const result = await commandMiddleware(view)('contra.run', [target], next);
  assert.equal(result.ok, true, result.message);
  assert.match(shown.printed, /ran with random inputs/);
});

test('a test passes', async () => {
  const { view, shown } = fakeView();
  const result = await commandMiddleware(view)('contra.test', [targets(lenses, 'contra.test')[0]], next);
  assert.equal(result.ok, true, result.message);
  assert.match(shown.printed, /passed/);
  assert.equal(shown.revealed, false);
});

test('a schedule becomes a page', async () => {
  const { view, shown } = fakeView();
  const [target] = targets(lenses, 'contra.schedule');
  const result = await commandMiddleware(view)('contra.schedule', [target], next);
  assert.ok(result.cycles > 0);
  assert.equal(shown.pages.length, 1);
  const [[name, html]] = shown.pages;
  assert.equal(name, target.name);
  assert.match(html, /^<!doctype html>/i);
  const page = pageForPanel(html, false);
  assert.match(page.slice(0, 200), /<html data-theme="light" lang/);
  assert.match(page, /<style>body \{ padding: 0 \}<\/style>\s*<\/head>/);
  assert.doesNotMatch(html, /<(?:script|link|img)[^>]*(?:src|href)="(?:https?:)?\/\//, 'nothing comes from elsewhere');
});

test('what the server refuses is shown as a test that failed', async () => {
  const { view, shown } = fakeView();
  const result = await commandMiddleware(view)('contra.test', [{ uri, name: 'no_such_test' }], next);
  assert.equal(result.ok, false);
  assert.equal(shown.revealed, true);
  assert.match(shown.printed, /no_such_test/);
});

test('what the user ends is no mistake; all else that fails is one', async () => {
  const fails = (name) => () => Promise.reject(Object.assign(new Error(name), { name }));
  const { view, shown } = fakeView();
  assert.equal(await commandMiddleware(view)('contra.run', [{ uri, name: 'k' }], fails('Canceled')), undefined);
  assert.equal(shown.printed, '');
  await assert.rejects(commandMiddleware(view)('contra.run', [{ uri, name: 'k' }], fails('ResponseError')));
});

test('from the palette the user chooses, or chooses nothing', async () => {
  const asked = [];
  const note = async (command, [argument]) => void asked.push([command, argument]);
  for (const command of commandNames) {
    await commandMiddleware(fakeView({ uri: 'u', name: 'k' }).view)(command, [], note);
    await commandMiddleware(fakeView().view)(command, [], note);
  }
  const plain = { seconds: 30, uri: 'u', name: 'k' };
  const expected = { 'contra.run': plain, 'contra.test': plain, 'contra.schedule': { ...plain, form: 'html' } };
  assert.deepEqual(Object.fromEntries(asked), expected);
  assert.equal(asked.length, commandNames.length);
});

test('a code of a diagnostic leads to its explanation', async () => {
  const program = server.open('tests/negative/program/stage_too_early.tcp');
  const { diagnostics } = await server.told('textDocument/publishDiagnostics', program);
  const { code, codeDescription } = diagnostics[0];
  assert.equal(code, 'E0808');
  const link = new URL(codeDescription.href);
  assert.equal(link.protocol, 'contra:');
  assert.equal(link.pathname, pathOfCode(code));
  assert.equal(codeOfPath(link.pathname), code);
  const text = markdown(await server.ask('contra/explain', { code }));
  assert.match(text, /^# E0808: .*\n\n/);
  assert.match(text, /\n- \*\*Manual:\*\* .*\n$/);
});

test('what is no code is none', () => {
  assert.deepEqual(['E0107', 'E010', 'e0107', 'E01070', ''].map(isCode), [true, false, false, false, false]);
  assert.equal(codeOfPath('/explain/../E0107.md'), undefined);
  assert.equal(codeOfPath('/E0107.md'), undefined);
});
