// Which documents the server hears of.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { PROGRAM, forgetPrograms, gate, isOfVisa, isWanted } from '../src/gate.js';

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
  assert.equal(isOfVisa(file), false);
  writeFileSync(join(folder, 'Cargo.toml'), '[dependencies]\nfuriosa-visa-std = "0.1"\n');
  assert.equal(isOfVisa(file), false, 'the answer is kept');
  forgetPrograms();
  assert.equal(isOfVisa(file), true);
  assert.equal(isWanted(documentOf('pub fn f() {}', { path: file }), 'auto'), true);
});

test('auto: modules of a program that names the library', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'contra-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = {
    'program.rs': 'use furiosa_visa_std::prelude::*;\npub(crate) mod part;\n',
    'part/mod.rs': 'mod deep;\n#[path = "../beside/mod.rs"]\nmod beside;\n',
    'part/deep.rs': '',
    'beside/mod.rs': '',
    'other.rs': 'mod others;\nmod round;\n',
    'others/mod.rs': '',
    'round/mod.rs': 'mod other;\n',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const wanted = Object.keys(files).filter((name) => isWanted(documentOf(files[name], { path: join(folder, name) }), 'auto'));
  assert.deepEqual(wanted, ['program.rs', 'part/mod.rs', 'part/deep.rs', 'beside/mod.rs']);
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
