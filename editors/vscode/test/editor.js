// As much of VS Code as the extension and its client library touch. What is not here is a stand-in
// that can be called, constructed and looked into, and does nothing.
import { EventEmitter as Emitter } from 'node:events';
import { fileURLToPath } from 'node:url';

const disposable = () => ({ dispose() {} });

function standIn() {
  const known = new Map();
  return new Proxy(function () {}, {
    apply: disposable,
    get(target, key) {
      if (key in target || typeof key === 'symbol') return target[key];
      if (!known.has(key)) known.set(key, standIn());
      return known.get(key);
    },
  });
}

// The real things of a namespace, and stand-ins for the rest of it.
function partly(things) {
  const rest = standIn();
  return new Proxy(things, { get: (target, key) => (key in target ? target[key] : rest[key]) });
}

class EventEmitter {
  #emitter = new Emitter();
  event = (listener, own) => {
    const bound = listener.bind(own);
    this.#emitter.on('event', bound);
    return { dispose: () => this.#emitter.off('event', bound) };
  };
  fire = (value) => this.#emitter.emit('event', value);
  dispose = () => this.#emitter.removeAllListeners();
}

class Disposable {
  constructor(dispose) {
    this.dispose = dispose;
  }
  static from = disposable;
}

class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: disposable };
  cancel() {}
  dispose() {}
}

class Uri {
  constructor(text) {
    const url = new URL(text);
    this.scheme = url.protocol.slice(0, -1);
    this.path = decodeURIComponent(url.pathname);
    this.fsPath = this.scheme === 'file' ? fileURLToPath(url) : this.path;
    this.toString = () => text;
  }
  static parse = (text) => new Uri(text);
  static from = ({ scheme, path }) => new Uri(`${scheme}:${path}`);
}

export function documentAt(uri, languageId, text) {
  return { uri: new Uri(uri), fileName: new Uri(uri).fsPath, languageId, version: 1, text, getText() { return this.text; } };
}

// `settings` as `contra.*` has them. What the extension does to the editor is kept beside `vscode`.
export function makeEditor(settings) {
  const kept = { commands: {}, context: {}, providers: {}, panels: [], errors: [], previews: [], diagnostics: {} };
  const documents = [];
  const events = { open: new EventEmitter(), change: new EventEmitter(), close: new EventEmitter() };
  const log = () => partly({ appendLine() {}, info() {}, error: (text) => kept.errors.push(String(text)), dispose() {} });

  const commands = partly({
    registerCommand(name, run) {
      if (kept.commands[name]) throw new Error(`command '${name}' already exists`);
      kept.commands[name] = run;
      return { dispose: () => delete kept.commands[name] };
    },
    async executeCommand(name, ...given) {
      if (name === 'setContext') kept.context[given[0]] = given[1];
      else if (name === 'markdown.showPreview') kept.previews.push(given[0].toString());
      else return kept.commands[name](...given);
    },
  });
  const workspace = partly({
    textDocuments: documents,
    workspaceFolders: undefined,
    getConfiguration: () => ({ get: (name, usual) => settings[name] ?? usual }),
    onDidOpenTextDocument: events.open.event,
    onDidChangeTextDocument: events.change.event,
    onDidCloseTextDocument: events.close.event,
    registerTextDocumentContentProvider(scheme, provider) {
      kept.providers[scheme] = provider;
      return disposable();
    },
  });
  const languages = partly({
    match: (selector, document) => (selector.some((each) => each.language === document.languageId) ? 10 : 0),
    createDiagnosticCollection: () => partly({
      set: (uri, list) => (kept.diagnostics[uri] = list),
      delete() {},
      clear() {},
      dispose() {},
    }),
  });
  const window = partly({
    activeTextEditor: undefined,
    visibleTextEditors: [],
    activeColorTheme: { kind: 2 },
    tabGroups: partly({ all: [] }),
    createOutputChannel: log,
    showErrorMessage: async (text) => void kept.errors.push(text),
    showInformationMessage: async () => undefined,
    withProgress: (options, run) => run({ report() {} }, new CancellationTokenSource().token),
    createWebviewPanel(kind, title) {
      const panel = { title, webview: { html: '' }, reveal() {}, onDidDispose: disposable };
      kept.panels.push(panel);
      return panel;
    },
  });
  const vscode = partly({
    version: '1.91.0', commands, workspace, languages, window, Uri, EventEmitter, CancellationTokenSource, Disposable,
    ColorThemeKind: { Light: 1, Dark: 2, HighContrast: 3, HighContrastLight: 4 },
    ProgressLocation: { Notification: 15 },
    ViewColumn: { Beside: -2 },
    env: partly({ appName: 'test', language: 'en' }),
  });

  const open = (document) => {
    documents.push(document);
    events.open.fire(document);
  };
  const change = (document, text) => {
    Object.assign(document, { text, version: document.version + 1 });
    events.change.fire({ document, contentChanges: [{ text }] });
  };
  return { vscode, kept, open, change };
}
