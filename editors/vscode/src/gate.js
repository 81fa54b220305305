// Which documents the server hears of. The editor has one selector for all Rust files; this stands
// between the client and the server and keeps those back that have nothing to do with the Virtual ISA.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export const PROGRAM = 'contra-program'; // the language of `.tcp` files

export const selector = [
  { scheme: 'file', language: 'rust' },
  { scheme: 'file', language: PROGRAM },
];

export const namesVisa = (text) => /\bfuriosa[_-]visa[_-]std\b/.test(text);

// What nobody may read has nothing in it.
function unless(empty, read) {
  try {
    return read();
  } catch {
    return empty;
  }
}

const textOf = (path) => unless('', () => readFileSync(path, 'utf8'));
const entriesOf = (folder) => unless([], () => readdirSync(folder, { withFileTypes: true }));

// The text of a Cargo.toml; undefined: there is none.
function readManifest(folder) {
  const manifest = join(folder, 'Cargo.toml');
  if (existsSync(manifest)) return textOf(manifest);
  return folder === dirname(folder) ? undefined : readManifest(dirname(folder));
}

// Files of a folder, and those of modules in folders of it, which may name others by a `#[path]`.
const sourcesIn = (folder) =>
  entriesOf(folder)
    .map((entry) => join(folder, entry.isDirectory() ? join(entry.name, 'mod.rs') : entry.name))
    .filter((path) => path.endsWith('.rs') && existsSync(path));

// The file that names this one, or the folder that it is in, as its module.
function fileNaming(path) {
  for (const place of [path.replace(/\.rs$/, ''), dirname(path)]) {
    const name = basename(place).replace(/\W/g, '\\$&');
    const names = new RegExp(`^\\s*(?:pub\\s*(?:\\([^)]*\\))?\\s*)?mod\\s+${name}\\s*;`, 'm');
    const found = sourcesIn(dirname(place)).find((other) => other !== path && names.test(textOf(other)));
    if (found) return found;
  }
  return undefined;
}

function isInVisaProgram(path, seen = new Set()) {
  const naming = fileNaming(path);
  if (!naming || seen.has(naming)) return false;
  return namesVisa(textOf(naming)) || isInVisaProgram(naming, seen.add(naming));
}

// Modules need not name the library themselves: the Cargo.toml of their crate does or, without one, the
// program that they are of. This is asked at every keystroke in other people's Rust, so answers are kept
// until a Cargo.toml or a source is saved.
const known = new Map();

export function isOfVisa(path) {
  if (!known.has(path)) {
    const manifest = readManifest(dirname(path));
    known.set(path, manifest === undefined ? isInVisaProgram(path) : namesVisa(manifest));
  }
  return known.get(path);
}

export const forgetPrograms = () => known.clear();

// `enable`: the setting `contra.enable`.
export function isWanted(document, enable) {
  if (document.uri.scheme !== 'file' || enable === 'never') return false;
  if (document.languageId === PROGRAM) return true;
  if (document.languageId !== 'rust') return false;
  return enable === 'always' || namesVisa(document.getText()) || isOfVisa(document.uri.fsPath);
}

// By capability of the server: what the client calls before it asks about a document.
export const requests = {
  callHierarchyProvider: ['prepareCallHierarchy'],
  codeActionProvider: ['provideCodeActions'],
  codeLensProvider: ['provideCodeLenses'],
  completionProvider: ['provideCompletionItem'],
  definitionProvider: ['provideDefinition'],
  documentFormattingProvider: ['provideDocumentFormattingEdits'],
  documentHighlightProvider: ['provideDocumentHighlights'],
  documentOnTypeFormattingProvider: ['provideOnTypeFormattingEdits'],
  documentRangeFormattingProvider: ['provideDocumentRangeFormattingEdits'],
  documentSymbolProvider: ['provideDocumentSymbols'],
  foldingRangeProvider: ['provideFoldingRanges'],
  hoverProvider: ['provideHover'],
  inlayHintProvider: ['provideInlayHints'],
  referencesProvider: ['provideReferences'],
  renameProvider: ['prepareRename', 'provideRenameEdits'],
  selectionRangeProvider: ['provideSelectionRanges'],
  semanticTokensProvider: [
    'provideDocumentSemanticTokens',
    'provideDocumentSemanticTokensEdits',
    'provideDocumentRangeSemanticTokens',
  ],
  signatureHelpProvider: ['provideSignatureHelp'],
  typeDefinitionProvider: ['provideTypeDefinition'],
};

// Middleware of the client. `wants(document)` is asked until it says yes; from then on the server has
// the document until it is closed. `open(document)` tells the server of one that is open already.
export function gate(wants, open) {
  const seen = new Set();
  const key = (document) => document.uri.toString();
  const ifSeen = (document, ...rest) => (seen.has(key(document)) ? rest.at(-1)(document, ...rest.slice(0, -1)) : null);
  // One that was seen stays so: a server that is started again hears of it again.
  const admit = (document) => (seen.has(key(document)) || wants(document)) && Boolean(seen.add(key(document)));

  const middleware = {
    didOpen: async (document, next) => {
      if (admit(document)) await next(document);
    },
    didChange: async (event, next) => {
      if (seen.has(key(event.document))) await next(event);
      else if (admit(event.document)) await open(event.document);
    },
    didSave: async (document, next) => {
      if (seen.has(key(document))) await next(document);
    },
    didClose: async (document, next) => {
      if (seen.delete(key(document))) await next(document);
    },
  };
  for (const name of Object.values(requests).flat()) middleware[name] = ifSeen;
  return middleware;
}
