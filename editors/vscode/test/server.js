// A server for tests, spoken to without an editor: as little of the protocol as they need.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
export const contra = process.env.CONTRA ?? join(root, 'build/contra');

export class Server {
  #process = spawn(contra, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  #bytes = Buffer.alloc(0);
  #waiting = new Map(); // by id of a request, or by what a notification is called
  #lastId = 0;

  static async start() {
    const server = new Server();
    server.#process.stdout.on('data', (bytes) => server.#read(bytes));
    server.hello = await server.ask('initialize', { processId: null, rootUri: null, capabilities: {} });
    server.tell('initialized', {});
    return server;
  }

  #read(bytes) {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (;;) {
      const head = this.#bytes.indexOf('\r\n\r\n');
      const length = head < 0 ? NaN : Number(/Content-Length: (\d+)/i.exec(this.#bytes.subarray(0, head))[1]);
      if (!(this.#bytes.length >= head + 4 + length)) return;
      this.#take(JSON.parse(this.#bytes.subarray(head + 4, head + 4 + length)));
      this.#bytes = this.#bytes.subarray(head + 4 + length);
    }
  }

  #take(message) {
    const key = message.method ?? message.id;
    const take = this.#waiting.get(key);
    this.#waiting.delete(key);
    take?.(message);
  }

  #send(message) {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  tell(method, params) {
    this.#send({ method, params });
  }

  // The next message of that kind about a document.
  async told(method, uri) {
    const { params } = await new Promise((done) => this.#waiting.set(method, done));
    return params.uri === uri ? params : this.told(method, uri);
  }

  ask(method, params) {
    const id = ++this.#lastId;
    this.#send({ id, method, params });
    return new Promise((done, fail) =>
      this.#waiting.set(id, ({ result, error }) => (error ? fail(new Error(error.message)) : done(result))));
  }

  // Opens a file of the repository; gives its URI.
  open(path) {
    const uri = pathToFileURL(join(root, path)).href;
    const text = readFileSync(join(root, path), 'utf8');
    this.tell('textDocument/didOpen', { textDocument: { uri, languageId: 'rust', version: 1, text } });
    return uri;
  }

  async end() {
    await this.ask('shutdown', null);
    this.tell('exit', null);
    this.#process.stdin.end();
  }
}
