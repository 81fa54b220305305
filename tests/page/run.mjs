// Runs the tests and counts them. Arguments: words of the names of those to run.
import { run } from 'node:test';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const wanted = name => name.endsWith('_test.mjs') && (process.env.CHROMIUM || !name.startsWith('browser'));
const files = readdirSync(here).filter(wanted).sort().map(name => here + name);
const patterns = process.argv.slice(2).map(words => new RegExp(words));

let passed = 0;
let failed = 0;
// A file is reported as a test, too: only what stands in it counts, unless the file itself fails to load.
const isFile = event => event.nesting === 0 && files.includes(event.name);

run({ files, concurrency: false, ...(patterns.length > 0 ? { testNamePatterns: patterns } : {}) })
  .on('test:pass', event => { if (!isFile(event) && !event.skip) passed++; })
  .on('test:fail', event => {
    failed++;
    const cause = event.details.error.cause ?? event.details.error;
    console.log(`FAIL  ${event.name}\n${cause.stack ?? cause}`);
  })
  .on('test:stdout', event => process.stdout.write(event.message))
  .on('test:stderr', event => process.stdout.write(event.message))
  .resume() // without a reader of its data the stream never ends
  .on('end', () => {
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed > 0 ? 1 : 0;
  });
