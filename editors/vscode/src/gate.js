// Which documents the server hears of. The editor has one selector for all Rust files; this stands
// between the client and the server and keeps those back that have nothing to do with the Virtual ISA.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const PROGRAM = 'contra-program'; // the language of `.tcp` files

export const selector = [
  { scheme: 'file', language: 'rust' },
  { scheme: 'file', language: PROGRAM },
];

export const namesVisa = (text) => /\bfuriosa[_-]visa[_-]std\b/.test(text);

function readManifest(folder) {
  const manifest = join(folder, 'Cargo.toml');
  if (existsSync(manifest)) return namesVisa(readFileSync(manifest, 'utf8'));
  return folder === dirname(folder) ? false : readManifest(dirname(folder));
}

// Modules of a crate need not name the library themselves: its Cargo.toml does. This is asked at every
// keystroke in other people's Rust, so answers are kept, by folder, until a Cargo.toml is saved.
const crates = new Map();

export function isInVisaCrate(path) {
  const folder = dirname(path);
  if (!crates.has(folder)) crates.set(folder, readManifest(folder));
  return crates.get(folder);
}

export const forgetCrates = () => crates.clear();

// `enable`: the setting `contra.enable`.
export function isWanted(document, enable) {
  if (document.uri.scheme !== 'file' || enable === 'never') return false;
  if (document.languageId === PROGRAM) return true;
  if (document.languageId !== 'rust') return false;
  return enable === 'always' || namesVisa(document.getText()) || isInVisaCrate(document.uri.fsPath);
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
