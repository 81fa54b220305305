// What package.json says is what the server says of itself.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { commandNames } from '../src/commands.js';
import { PROGRAM, requests, selector } from '../src/gate.js';
import { Server, root } from './server.js';

const here = join(root, 'editors/vscode');
const json = (path) => JSON.parse(readFileSync(join(here, path), 'utf8'));
const manifest = json('package.json');
const { contributes } = manifest;

// Those that VS Code and the protocol know themselves.
const standardTypes = [
  'namespace', 'class', 'enum', 'interface', 'struct', 'typeParameter', 'type', 'parameter', 'variable', 'property',
  'enumMember', 'decorator', 'event', 'function', 'method', 'macro', 'label', 'comment', 'string', 'keyword', 'number',
  'regexp', 'operator',
];
const standardModifiers = [
  'declaration', 'definition', 'readonly', 'static', 'deprecated', 'abstract', 'async', 'modification',
  'documentation', 'defaultLibrary',
];

let server;
before(async () => (server = await Server.start()));
after(() => server.end());

test('the version is that of the server', () => {
  assert.equal(manifest.version, server.hello.serverInfo.version);
});

test('each command of the server has a title, and something that shows its result', () => {
  const offered = server.hello.capabilities.executeCommandProvider.commands;
  assert.deepEqual([...offered].sort(), [...commandNames].sort());
  const titled = contributes.commands.map((each) => each.command);
  assert.deepEqual(offered.filter((name) => !titled.includes(name)), []);
});

test('all other commands are registered by the extension, and no command of the server is', () => {
  const source = readFileSync(join(here, 'src/extension.js'), 'utf8');
  const registered = [...source.matchAll(/registerCommand\('([^']+)'/g)].map((match) => match[1]);
  const titled = contributes.commands.map((each) => each.command);
  assert.deepEqual([...registered, ...commandNames].sort(), [...titled].sort());
});

test('what needs the server is in the palette only while it runs', () => {
  const hidden = contributes.menus.commandPalette.filter((each) => each.when === 'contra.isRunning');
  const free = contributes.commands.map((each) => each.command).filter((name) => !hidden.some((each) => each.command === name));
  assert.deepEqual(free, ['contra.restart']);
});

test('what the server can do for a document stands behind the gate', () => {
  const others = ['positionEncoding', 'textDocumentSync', 'executeCommandProvider', 'workspace', 'workspaceSymbolProvider'];
  const offered = Object.keys(server.hello.capabilities).filter((name) => !others.includes(name));
  assert.deepEqual(offered.sort(), Object.keys(requests).sort());
});

test('semantic tokens are standard, or declared with a standard one above them and a scope', () => {
  const { tokenTypes, tokenModifiers } = server.hello.capabilities.semanticTokensProvider.legend;
  const own = tokenTypes.filter((type) => !standardTypes.includes(type));
  assert.deepEqual(contributes.semanticTokenTypes.map((each) => each.id).sort(), own.sort());
  for (const each of contributes.semanticTokenTypes) assert.ok(standardTypes.includes(each.superType), each.id);
  const [{ scopes }] = contributes.semanticTokenScopes;
  assert.deepEqual(own.filter((type) => !scopes[type]), []);
  assert.deepEqual(Object.keys(scopes).filter((type) => !tokenTypes.includes(type)), []);
  assert.deepEqual(tokenModifiers.filter((each) => !standardModifiers.includes(each)), []);
});

test('settings that are read are declared, and the other way round', () => {
  const source = readFileSync(join(here, 'src/extension.js'), 'utf8');
  const read = [...source.matchAll(/setting\('([^']+)'\)/g)].map((match) => `contra.${match[1]}`);
  const declared = Object.keys(contributes.configuration.properties);
  const trace = 'contra.trace.server'; // the client library reads it
  assert.deepEqual([...new Set(read), trace].sort(), declared.sort());
});

test('files that are named exist, and grammars have the scopes they are said to have', () => {
  for (const { path, scopeName } of contributes.grammars) assert.equal(json(path).scopeName, scopeName);
  const [language] = contributes.languages;
  assert.ok(existsSync(join(here, language.configuration)));
  assert.equal(language.id, PROGRAM);
  assert.deepEqual(selector.map((each) => each.language), ['rust', PROGRAM]);
});

test('versions are exact, and those of the lock file', () => {
  const lock = json('package-lock.json');
  for (const [name, version] of Object.entries(manifest.devDependencies)) {
    assert.match(version, /^\d+\.\d+\.\d+$/);
    assert.equal(lock.packages[`node_modules/${name}`].version, version);
  }
});

const library = join(here, 'node_modules/vscode-languageclient/lib/common');
test('the client library calls what the gate stands in', { skip: !existsSync(library) && 'npm ci was not run' }, () => {
  const types = readdirSync(library).filter((name) => name.endsWith('.d.ts'));
  const text = types.map((name) => readFileSync(join(library, name), 'utf8')).join('\n');
  const unknown = Object.values(requests).flat().filter((name) => !text.includes(`    ${name}?: `));
  assert.deepEqual(unknown, []);
});
