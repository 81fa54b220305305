// The client of `contra lsp` in VS Code. What can be said without the editor is in the other files.
import * as vscode from 'vscode';
import { LanguageClient, State } from 'vscode-languageclient/node';

import { commandMiddleware, targets } from './commands.js';
import { SCHEME, codeOfPath, isCode, markdown, pathOfCode } from './explain.js';
import { forgetPrograms, gate, isWanted, selector } from './gate.js';
import { pageForPanel } from './page.js';

let client; // undefined until a document wants it
let output; // what commands have printed

const setting = (name) => vscode.workspace.getConfiguration('contra').get(name);
const wants = (document) => isWanted(document, setting('enable'));

// ---- what the commands need of the editor

const panels = new Map(); // of schedules, by kernel

const isDark = () =>
  [vscode.ColorThemeKind.Dark, vscode.ColorThemeKind.HighContrast].includes(vscode.window.activeColorTheme.kind);

function showPage({ uri, name }, html) {
  const key = `${uri} ${name}`;
  let panel = panels.get(key);
  if (!panel) {
    panel = vscode.window.createWebviewPanel('contra.schedule', `Schedule of ${name}`, vscode.ViewColumn.Beside, {
      enableScripts: true,
      retainContextWhenHidden: true,
      localResourceRoots: [],
    });
    panel.onDidDispose(() => panels.delete(key));
    panels.set(key, panel);
  }
  panel.webview.html = pageForPanel(html, isDark());
  panel.reveal(undefined, true);
}

// One of the kernels or tests of the file in front.
async function choose(command) {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !wants(document)) {
    vscode.window.showInformationMessage('Contra: open a file with a kernel first.');
    return undefined;
  }
  const uri = client.code2ProtocolConverter.asUri(document.uri);
  const lenses = await client.sendRequest('textDocument/codeLens', { textDocument: { uri } });
  const found = targets(lenses ?? [], command);
  if (!found.length) vscode.window.showInformationMessage('Contra: there is nothing for that in this file.');
  if (found.length < 2) return found[0];
  const picked = await vscode.window.showQuickPick(found.map((target) => ({ label: target.name, target })));
  return picked?.target;
}

const view = {
  choose,
  seconds: () => setting('seconds'),
  print: (text) => output.appendLine(text),
  reveal: () => output.show(true),
  page: showPage,
};

// ---- the server

function serverPath() {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  return setting('path').replaceAll('${workspaceFolder}', folder);
}

function open(document) {
  const textDocument = client.code2ProtocolConverter.asOpenTextDocumentParams(document).textDocument;
  return client.sendNotification('textDocument/didOpen', { textDocument });
}

async function start() {
  const command = serverPath();
  client = new LanguageClient('contra', 'Contra', { command, args: ['lsp'] }, {
    documentSelector: selector,
    middleware: { ...gate(wants, open), executeCommand: commandMiddleware(view) },
  });
  client.onDidChangeState(({ newState }) =>
    vscode.commands.executeCommand('setContext', 'contra.isRunning', newState === State.Running));
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`Contra: \`${command} lsp\` does not start (setting contra.path): ${error.message}`);
  }
}

const startFor = async (document) => {
  if (!client && wants(document)) await start();
};

async function restart() {
  const old = client;
  client = undefined;
  if (old?.isRunning()) await old.stop();
  await old?.dispose().catch(() => {}); // one that never started has nothing to give back
  if (vscode.workspace.textDocuments.some(wants)) await start();
}

// ---- codes

async function explain(uri) {
  const code = codeOfPath(uri.path);
  if (!code || !client?.isRunning()) return 'There is nothing here: open a kernel, so that the language server runs.\n';
  return markdown(await client.sendRequest('contra/explain', { code }));
}

function codeAtCursor() {
  const editor = vscode.window.activeTextEditor;
  const here = editor ? vscode.languages.getDiagnostics(editor.document.uri) : [];
  const found = here.find((each) => each.source === 'contra' && each.range.contains(editor.selection.active));
  return found?.code?.value ?? found?.code;
}

async function explainCode(given) {
  const code = given ?? (await vscode.window.showInputBox({
    prompt: 'The code to explain',
    value: codeAtCursor() ?? 'E',
    validateInput: (text) => (isCode(text) ? undefined : 'E and four digits, such as E0107'),
  }));
  if (!code) return;
  const uri = vscode.Uri.from({ scheme: SCHEME, path: pathOfCode(code) });
  await vscode.commands.executeCommand('markdown.showPreview', uri);
}

// ---- start and end

export async function activate(context) {
  output = vscode.window.createOutputChannel('Contra: runs and tests');
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand('contra.explain', explainCode),
    vscode.commands.registerCommand('contra.restart', restart),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent: explain }),
    vscode.workspace.onDidOpenTextDocument(startFor),
    vscode.workspace.onDidChangeTextDocument(({ document }) => startFor(document)),
    vscode.workspace.onDidSaveTextDocument(({ fileName }) => {
      if (/(Cargo\.toml|\.rs)$/.test(fileName)) forgetPrograms();
    }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration('contra.path') || change.affectsConfiguration('contra.enable')) await restart();
    }),
  );
  for (const document of vscode.workspace.textDocuments) await startFor(document);
}

export async function deactivate() {
  if (client?.isRunning()) await client.stop();
}
