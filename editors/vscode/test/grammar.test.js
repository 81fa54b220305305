// The grammars, with the engine that VS Code has. It comes with `npm ci`.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';

import { root } from './server.js';

const here = join(root, 'editors/vscode');
const skip = !existsSync(join(here, 'node_modules/vscode-textmate')) && 'npm ci was not run';

// As much of Rust as the macros meet.
const rust = {
  scopeName: 'source.rust',
  patterns: [
    { name: 'comment.line.rust', match: '//.*$' },
    { name: 'string.quoted.rust', begin: '"', end: '"' },
    { name: 'entity.name.function.macro.rust', match: '\\b\\w+!' },
    { name: 'constant.numeric.rust', match: '\\b\\d+\\b' },
  ],
};

const read = (name) => JSON.parse(readFileSync(join(here, 'syntaxes', name), 'utf8'));
const grammars = {
  'source.rust': () => rust,
  'source.rust.visa': () => read('visa.tmLanguage.json'),
  'source.contra-program': () => read('program.tmLanguage.json'),
};

async function load(scope) {
  const require = createRequire(import.meta.url);
  const { Registry } = require('vscode-textmate');
  const oniguruma = require('vscode-oniguruma');
  const wasm = readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength)).catch(() => {});
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (name) => grammars[name]?.() ?? null,
    getInjections: (name) => (name === 'source.rust' ? ['source.rust.visa'] : undefined),
  });
  const grammar = await registry.loadGrammar(scope);
  const start = (await import('vscode-textmate')).default.INITIAL;
  return (text) => words(grammar, text, start);
}

// [[word, innermost scope without its language]] of what has one.
function words(grammar, text, start) {
  let stack = start;
  return text.split('\n').flatMap((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    return tokens
      .map(({ startIndex, endIndex, scopes }) => [line.slice(startIndex, endIndex).trim(), scopes.at(-1)])
      .filter(([word, scope]) => word && !scope.startsWith('source.') && !scope.startsWith('meta.'))
      .map(([word, scope]) => [word, scope.replace(/\.[^.]+$/, '')]);
  });
}

const only = (found, scope) => found.filter((each) => each[1].startsWith(scope)).map((each) => each[0]);

test('mappings in Rust', { skip }, async () => {
  const scopes = await load('source.rust');
  assert.deepEqual(scopes('m![A / 8, { L } # 16]'), [
    ['m', 'entity.name.function.macro'],
    ['!', 'entity.name.function.macro'],
    ['[', 'punctuation.section.brackets.begin'],
    ['A', 'variable.other.constant.axis'],
    ['/', 'keyword.operator.mapping'],
    ['8', 'constant.numeric'],
    [',', 'punctuation.separator.comma'],
    ['{', 'punctuation.section.braces.begin'],
    ['L', 'entity.name.type.mapping'],
    ['}', 'punctuation.section.braces.end'],
    ['#', 'keyword.operator.padding'],
    ['16', 'constant.numeric'],
    [']', 'punctuation.section.brackets.end'],
  ]);
  const nested = scopes('f::<m![[A, B] # 64 % 8, /* why */ C]>(7) // m![D]');
  assert.deepEqual(only(nested, 'variable.other.constant.axis'), ['A', 'B', 'C']);
  assert.deepEqual(nested.at(-1), ['// m![D]', 'comment.line']);
  assert.deepEqual(only(nested, 'comment.block').join(' '), '/* why */');
  assert.deepEqual(only(scopes('let s = "m![A]"; item![A]; from!(A)'), 'variable'), []);
  assert.deepEqual(only(scopes('m![\n  A,\n  B / 2,\n]; C'), 'variable'), ['A', 'B']);
});

test('indices and axes in Rust', { skip }, async () => {
  const scopes = await load('source.rust');
  const index = scopes('t.get(i![A, B: f(8, 9)[2], C: 1]); D');
  assert.deepEqual(only(index, 'variable.other.constant.axis'), ['A', 'B', 'C']);
  assert.deepEqual(only(index, 'constant.numeric'), ['8', '9', '2', '1']);
  const axes = scopes('axes![Row = 256, K = 1_024, N = SIZE]; X');
  assert.deepEqual(only(axes, 'variable.other.constant.axis'), ['Row', 'K', 'N']);
  assert.deepEqual(only(axes, 'constant.numeric'), ['256', '1_024']);
});

test('lines of a program text', { skip }, async () => {
  const scopes = await load('source.contra-program');
  assert.deepEqual(scopes('program scale::kernel chip=1 // one'), [
    ['program', 'keyword.control'],
    ['scale::kernel', 'entity.name.function.kernel'],
    ['chip', 'variable.parameter'],
    ['=', 'keyword.operator.assignment'],
    ['1', 'constant.numeric'],
    ['// one', 'comment.line.double-slash'],
  ]);
  const axes = scopes("axis A_8 = 8 named A\naxis B' = B - A");
  assert.deepEqual(only(axes, 'variable.other.constant.axis'), ['A_8', 'A', "B'", 'B', 'A']);
  const move = scopes('tdma to_dm %0 -> %1 rows = dm cluster [1 # 2] slice [A / 16] at ?');
  assert.deepEqual(only(move, 'variable'), ['tdma', '%0', '%1', 'rows', 'A']);
  assert.deepEqual(only(move, 'entity.name.function.operation'), ['to_dm']);
  assert.deepEqual(only(move, 'support.type.memory'), ['dm']);
  assert.deepEqual(only(move, 'keyword'), ['->', '=', 'cluster', '#', 'slice', '/', 'at', '?']);
  const stage = scopes('  vector_fxp AddFxp -1 group Zero, f32:0x7fc00000');
  assert.deepEqual(only(stage, 'entity.name.function.stage').concat(only(stage, 'constant')), [
    'vector_fxp', 'AddFxp', '-1', 'Zero', '0x7fc00000',
  ]);
  const tile = scopes('  commit_view -> %0.slice_tile<[S], 64, [S = 64 # 256]>(?)');
  assert.deepEqual(only(tile, 'entity'), ['commit_view', 'slice_tile']);
});

test('the words of program texts are those of the library', { skip }, async () => {
  const scopes = await load('source.contra-program');
  const types = [...readFileSync(join(root, 'src/scalar/scalar.def'), 'utf8').matchAll(/^SCALAR\(\w+, +"(\w+)"/gm)];
  assert.ok(types.length > 10);
  for (const [, type] of types) assert.deepEqual(only(scopes(`cast ${type} packet [A]`), 'support.type'), [type]);
  const stages = [...readFileSync(join(root, 'src/program/stage.def'), 'utf8').matchAll(/^STAGE\(\w+, +"(\w+)"/gm)];
  assert.ok(stages.length > 30);
  for (const [, stage] of stages) assert.deepEqual(only(scopes(`  ${stage}`), 'entity.name.function.stage'), [stage]);
});

test('whole programs leave nothing open', { skip }, async () => {
  const scopes = await load('source.contra-program');
  const folder = join(root, 'tests/figures');
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.tcp'))) {
    const found = scopes(readFileSync(join(folder, name), 'utf8').trimEnd());
    assert.deepEqual(found.at(-1), ['end', 'keyword.control'], name);
  }
});
