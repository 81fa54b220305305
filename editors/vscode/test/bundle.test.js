// The extension as it is packed, its client library and the server, in an editor that is none.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { documentAt, makeEditor } from './editor.js';
import { contra, root } from './server.js';

const bundle = join(root, 'editors/vscode/dist/extension.cjs');
const skip = !existsSync(bundle) && 'it was not built (make vscode)';
const path = 'examples/hello/constant_add.rs';
const uri = pathToFileURL(join(root, path)).href;
const settings = { path: contra, enable: 'auto', seconds: 30 };

const { vscode, kept, open, change } = makeEditor(settings);
const context = { subscriptions: [] };
let extension;

before(async () => {
  if (skip) return;
  const load = Module._load;
  Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
  extension = createRequire(import.meta.url)(bundle);
  await extension.activate(context);
});
after(async () => {
  await extension?.deactivate();
});

async function until(isSo) {
  for (let i = 0; i < 500 && !isSo(); i++) await new Promise((done) => setTimeout(done, 20));
  assert.ok(isSo(), `waited in vain; errors: ${kept.errors.join('\n')}`);
}

test('the server starts when a document wants it, not before', { skip }, async () => {
  const document = documentAt(uri, 'rust', 'use std::io;');
  open(document);
  await new Promise((done) => setTimeout(done, 50));
  assert.equal(kept.context['contra.isRunning'], undefined);
  change(document, readFileSync(join(root, path), 'utf8'));
  await until(() => kept.context['contra.isRunning']);
  const names = ['contra.explain', 'contra.restart', 'contra.run', 'contra.schedule', 'contra.test'];
  await until(() => Object.keys(kept.commands).length === names.length);
  assert.deepEqual(Object.keys(kept.commands).sort(), names);
  assert.deepEqual(kept.errors, []);
});

test('a lens of a schedule opens a panel, twice the same', { skip }, async () => {
  for (let i = 0; i < 2; i++) {
    const result = await vscode.commands.executeCommand('contra.schedule', { uri, name: 'add_five' });
    assert.equal(result.ok, true, result.message);
  }
  assert.deepEqual(kept.panels.map((panel) => panel.title), ['Schedule of add_five']);
  assert.match(kept.panels[0].webview.html, /^<!doctype html>\s*<html data-theme="dark"/i);
});

test('codes are explained', { skip }, async () => {
  await vscode.commands.executeCommand('contra.explain', 'E0107');
  assert.deepEqual(kept.previews, ['contra:/explain/E0107.md']);
  const text = await kept.providers.contra.provideTextDocumentContent(vscode.Uri.parse(kept.previews[0]));
  assert.match(text, /^# E0107: /);
});

test('a restart gives the commands back and takes them again', { skip }, async () => {
  await vscode.commands.executeCommand('contra.restart');
  await until(() => kept.commands['contra.run']);
  const result = await vscode.commands.executeCommand('contra.run', { uri, name: 'add_five' });
  assert.equal(result.ok, true, result.message);
});

test('a program that is not there is told', { skip }, async () => {
  settings.path = join(root, 'no-such-program');
  await vscode.commands.executeCommand('contra.restart');
  await until(() => kept.errors.some((text) => text.includes('does not start')));
});
