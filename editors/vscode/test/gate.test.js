// Which documents the server hears of.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { PROGRAM, forgetCrates, gate, isInVisaCrate, isWanted } from '../src/gate.js';

function documentOf(text, { languageId = 'rust', scheme = 'file', path = '/nowhere/at/all.rs' } = {}) {
  return { languageId, uri: { scheme, fsPath: path, toString: () => `${scheme}://${path}` }, getText: () => text };
}

test('auto: files that name the library, and program texts', () => {
  const kernel = documentOf('use furiosa_visa_std::prelude::*;');
  const other = documentOf('use std::io;');
  const program = documentOf('program p\nend\n', { languageId: PROGRAM });
  const python = documentOf('furiosa_visa_std', { languageId: 'python' });
  const untitled = documentOf('use furiosa_visa_std::prelude::*;', { scheme: 'untitled' });
  const wanted = (enable) => [kernel, other, program, python, untitled].map((each) => isWanted(each, enable));
  assert.deepEqual(wanted('auto'), [true, false, true, false, false]);
  assert.deepEqual(wanted('always'), [true, true, true, false, false]);
  assert.deepEqual(wanted('never'), [false, false, false, false, false]);
});

test('auto: modules of a crate that depends on the library', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'contra-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'src/deep'), { recursive: true });
  const file = join(folder, 'src/deep/rows.rs');
  writeFileSync(join(folder, 'Cargo.toml'), '[dependencies]\nrand = "0.9"\n');
  assert.equal(isInVisaCrate(file), false);
  writeFileSync(join(folder, 'Cargo.toml'), '[dependencies]\nfuriosa-visa-std = "0.1"\n');
  assert.equal(isInVisaCrate(file), false, 'the answer is kept');
  forgetCrates();
  assert.equal(isInVisaCrate(file), true);
  assert.equal(isWanted(documentOf('pub fn f() {}', { path: file }), 'auto'), true);
});

test('a document goes through from the moment it is wanted until it is closed', async () => {
  const said = [];
  const say = (what) => (document) => said.push([what, document.text ?? document.document.text]);
  const middleware = gate((document) => document.text.includes('visa'), say('open now'));
  const document = { text: '', uri: { toString: () => 'file:///a.rs' } };
  const hover = () => middleware.provideHover(document, 'position', 'token', (...given) => given);

  await middleware.didOpen(document, say('open'));
  await middleware.didChange({ document }, say('change'));
  await middleware.didSave(document, say('save'));
  assert.deepEqual([said, hover()], [[], null]);

  document.text = 'visa';
  await middleware.didChange({ document }, say('change'));
  assert.deepEqual(hover(), [document, 'position', 'token']);
  document.text = 'no longer';
  await middleware.didChange({ document }, say('change'));
  await middleware.didSave(document, say('save'));
  await middleware.didOpen(document, say('open again'));
  await middleware.didClose(document, say('close'));
  await middleware.didClose(document, say('close'));
  const after = ['change', 'save', 'open again', 'close'].map((what) => [what, 'no longer']);
  assert.deepEqual(said, [['open now', 'visa'], ...after]);
  assert.equal(hover(), null);
});

test('a document that is wanted at once is opened as usual', async () => {
  const said = [];
  const middleware = gate(() => true, () => said.push('open now'));
  const document = { uri: { toString: () => 'file:///a.rs' } };
  await middleware.didOpen(document, () => said.push('open'));
  await middleware.didChange({ document }, () => said.push('change'));
  assert.deepEqual(said, ['open', 'change']);
});
