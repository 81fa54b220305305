// The page in Chromium, from a file, as a reader opens it.
import test, { after, before, afterEach } from 'node:test';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import { pathToFileURL } from 'node:url';
import { fitWindow } from '../../viewer/src/scale.js';
import { parseSchedule } from '../../viewer/src/document.js';
import { GUTTER, OVERVIEW, bandTop, layOut, operationBoxes, xOf, yOfAddress } from '../../viewer/src/scene.js';
import { many, small, smallHidden, smallQuicker } from './documents.mjs';
import { OUT, ROOT, template, writeJson, writePage } from './page.mjs';

const fromViewer = createRequire(`${ROOT}viewer/`);
const { chromium } = fromViewer('playwright-core');
const MANY = 50000;

let browser;
let page;
let complaints; // of the page: errors and what it says on the console

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM });
});

after(() => browser?.close());

afterEach(async () => {
  await page?.context().close();
  assert.deepEqual(complaints, []);
});

async function visit(url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  page = await context.newPage();
  complaints = [];
  page.setDefaultTimeout(20000);
  page.on('pageerror', error => complaints.push(String(error)));
  page.on('console', message => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('request', request => { if (!/^(file|data|http:\/\/127)/.test(request.url())) complaints.push(`asks for ${request.url()}`); });
  await page.goto(url);
}

const visitSmall = (hash = '', options = {}) => visit(writePage('small', JSON.stringify(small())) + hash, options);

const shot = name => page.screenshot({ path: `${OUT}${name}.png` });

const text = selector => page.locator(selector).first().innerText();

// Where things are on the screen, asked of the same module that lays them out.
async function screen(doc = small()) {
  const box = await page.locator('canvas.timeline').first().boundingBox();
  const schedule = parseSchedule(JSON.stringify(doc));
  const scene = layOut(schedule, box.width, box.height);
  const view = { ...fitWindow(schedule.cycles), scroll: 0, addresses: new Map() };
  const at = (x, y) => ({ x: box.x + x, y: box.y + y });
  return {
    at,
    operation: id => {
      const one = operationBoxes(scene, view, id)[0];
      return at(one.x + one.width / 2, one.y + one.height / 2);
    },
    tensor: id => {
      const tensor = schedule.tensors[id];
      const band = scene.bands.find(one => one.memory?.name === tensor.memory);
      return at(xOf(scene, view, (tensor.from + tensor.to) / 2), yOfAddress(view, band, tensor.address + tensor.bytes / 2));
    },
    cycle: (cycle, y = OVERVIEW + 10) => at(xOf(scene, view, cycle), y),
    memory: name => bandTop(view, scene.bands.find(one => one.memory?.name === name)),
  };
}

// The colour of a place of the canvas.
const inkAt = place => page.evaluate(({ x, y }) => {
  const canvas = document.querySelector('canvas.timeline');
  const box = canvas.getBoundingClientRect();
  const pixel = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  pixel.drawImage(canvas, Math.round(x - box.left), Math.round(y - box.top), 1, 1, 0, 0, 1, 1);
  return [...pixel.getImageData(0, 0, 1, 1).data].join();
}, place);

const click = ({ x, y }) => page.mouse.click(x, y);

async function drag(from, to, key) {
  if (key) await page.keyboard.down(key);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
  if (key) await page.keyboard.up(key);
}

// The window of cycles, which the hash keeps a moment later.
async function windowShown() {
  let hash = '';
  do {
    hash = page.url();
    await page.waitForTimeout(350);
  } while (hash !== page.url());
  const [from, to] = /view=(\d+)-(\d+)/.exec(decodeURIComponent(new URL(page.url()).hash)).slice(1).map(Number);
  return { from, to };
}

// ---- numbers

test('inside another page, as a notebook shows it', async () => {
  const own = template().replace('/*CONTRA_SCHEDULE*/', () => JSON.stringify(small()).replaceAll('<', '\\u003c'));
  const escaped = own.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  await visit(pathToFileURL(writeJson('inside.html', `<iframe srcdoc="${escaped}" style="width: 100%; height: 640px"></iframe>`)).href);
  const inside = page.frameLocator('iframe');
  await inside.locator('canvas.timeline').first().waitFor();
  await inside.getByRole('tab', { name: 'Operations' }).click();
  await page.waitForTimeout(1000); // what is shown would be kept in the address by now
});

test('opens and says how the kernel does', async () => {
  await visitSmall();
  assert.equal(await text('#kernel'), 'gemm');
  assert.equal(await text('#total-cycles'), '3,900');
  const summary = await text('#panel-summary');
  for (const part of ['3.9 µs at 1,000 MHz · between 3,600 and 4,200', '5 operations, 7 tensors, critical path of 4 operations', '51.3 %', '41 %', '2 lanes idle',
    'DMA 0.0 stands idle for 1,900 cycles', '120 MACs a byte; the ridge is at 699', '1,000 to 2,900', 'ended by #4 to_hbm', 'The manual gives rules'])
    assert.ok(summary.includes(part), `${part} in ${summary}`);
  const longest = await page.locator('ol[aria-label="Longest operations"] button').allInnerTexts();
  assert.equal(longest.length, 5);
  assert.match(longest[0], /#3 commit\s+line 37\s+1,600/);
  await shot('summary');
});

test('an operation shows its line, stages, waits, tensors and configuration', async () => {
  await visitSmall();
  const { operation } = await screen();
  const place = operation(3);
  await page.mouse.move(place.x, place.y);
  await page.waitForSelector('#tooltip', { state: 'visible' });
  assert.match(await text('#tooltip'), /#3 commit line 37[\s\S]*1,600 cycles, 1,300 to 2,900[\s\S]*bound by contraction[\s\S]*collect 256 · contraction 1,440[\s\S]*waited for #2 to_trf/);
  await shot('hover');
  await click(place);
  const panel = await text('#panel-selection');
  for (const part of ['#3 commit', 'examples/gemm.rs:37', '.begin(a.view())', 'bound by contraction', '33.6 M', 'reads what #2 writes: TRF 0x0 to 0x8000, 32,768 bytes over 8 rows; a half counts as a whole', 'reduce     bf16 x bf16 -> f32, tree depth 5'])
    assert.ok(panel.includes(part), `${part} in ${panel}`);
  assert.match(await text('.stage.bottleneck'), /contraction[\s\S]*1,440/);
  assert.equal(await page.locator('.stage').count(), 5);
  assert.match(await text('.stage-sum'), /1,600 cycles in all\. Stages run side by side[\s\S]*fill, stage, drain/);
  await page.mouse.move(5, 5);
  await shot('operation');
  await page.locator('.waits button').first().click();
  assert.equal(await text('#panel-selection h2'), '#2 to_trf');
  await page.locator('button[data-tensor="3"]').click();
  assert.equal(await text('#panel-selection h2'), 'b');
});

test('a tensor shows its mapping over slices and bytes', async () => {
  await visitSmall();
  const { tensor } = await screen();
  await click(tensor(2));
  const panel = await text('#panel-selection');
  for (const part of ['m![1], m![1 # 2], m![I / 4, J / 4], m![I % 4, K]', '0x0', '512 B', '2 clusters × 256 slices', '256 slices', 'Read by 1 operation'])
    assert.ok(panel.includes(part), `${part} in ${panel}`);
  const box = await page.locator('canvas.mapping').boundingBox();
  await page.mouse.move(box.x + (box.width * 65.5) / 256, box.y + (box.height * 17.5) / 256);
  assert.equal(await text('.caption'), 'slice 17, byte 0x82: I = 5, J = 4, K = 1');
  await page.getByLabel('Axis that the colour shows').selectOption('K');
  await shot('tensor');
  await click(tensor(6));
  assert.equal(await text('#panel-selection h2'), 'tensor 6');
});

test('stages that take as long bound a pass together', async () => {
  const doc = small();
  doc.operations[3].commands[0].parts[1].busy = 1440;
  await visit(`${writePage('tie', JSON.stringify(doc))}#select=operation-3`);
  assert.deepEqual(await page.locator('.stage.bottleneck .stage-name').allInnerTexts(), ['collectbottleneck', 'contractionbottleneck']);
  await visit(`${writePage('tie', JSON.stringify(doc))}#select=operation-0`);
  assert.match(await text('.stage-sum'), /1,000 cycles in all\. Behind the start-up/);
  const [fetch] = doc.operations[3].commands[0].parts;
  doc.operations[3].commands[0].parts = [{ ...fetch, part: 'registers' }, { ...fetch, part: 'pass' }];
  await visit(`${writePage('tie', JSON.stringify(doc))}#select=operation-3`);
  assert.equal(await text('.stage-sum'), '1,600 cycles in all. The registers of the topology are written before the pass.');
});

test('the frame of a tensor stays in its band', async () => {
  const zoomed = 'addresses=DM:100-200';
  const besides = async hash => {
    await visitSmall(hash);
    await page.waitForTimeout(100);
    const { at, cycle, memory } = await screen();
    const edge = cycle(0).x - at(0, 0).x - 1; // where the frame of a tensor from the start on has its left side
    const inks = await Promise.all(['TRF', 'HBM'].map(name => inkAt(at(edge, memory(name) + 30))));
    return [...inks, await inkAt(at(edge, memory('DM') + 30))];
  };
  const [trf, hbm, dm] = await besides(`#${zoomed}`);
  const framed = await besides(`#${zoomed}&select=tensor-2`);
  assert.deepEqual(framed.slice(0, 2), [trf, hbm]);
  assert.notEqual(framed[2], dm);
});

// ---- moving

test('zooms and pans by wheel, drag and buttons', async () => {
  await visitSmall();
  const { cycle, at } = await screen();
  const place = cycle(2000, 300);
  await page.mouse.move(place.x, place.y);
  await page.mouse.wheel(0, -400);
  const zoomed = await windowShown();
  assert.ok(zoomed.to - zoomed.from < 2200 && zoomed.from < 2000 && zoomed.to > 2000, JSON.stringify(zoomed));
  await page.mouse.wheel(200, 0);
  const panned = await windowShown();
  assert.ok(panned.from > zoomed.from && Math.abs(panned.to - panned.from - (zoomed.to - zoomed.from)) <= 2, JSON.stringify(panned));
  await drag(at(400, 420), at(700, 420));
  assert.ok((await windowShown()).from < panned.from);
  await page.click('#zoom-in');
  const closer = await windowShown();
  assert.ok(closer.to - closer.from < panned.to - panned.from);
  await click(at(GUTTER + 2, 20)); // the overview
  assert.equal((await windowShown()).from, 0);
  await page.click('#fit');
  assert.deepEqual(await windowShown(), { from: 0, to: 3939 });
  const target = cycle(2000, 200);
  await page.mouse.dblclick((await screen()).operation(3).x, (await screen()).operation(3).y);
  const close = await windowShown();
  assert.ok(close.from > 1000 && close.to < 3300, JSON.stringify([close, target]));
});

test('brushes cycles, addresses, and both', async () => {
  await visitSmall();
  const { cycle, at, memory, tensor } = await screen();
  await drag(cycle(1000), cycle(2000));
  assert.match(await text('#panel-selection'), /Brushed[\s\S]*(999|1,000|1,001) to (1,999|2,000|2,001)/);
  assert.match(await text('#panel-selection .facts'), /Operations\s+[23]/);
  await shot('brush');
  await page.keyboard.press('z');
  const zoomed = await windowShown();
  assert.ok(Math.abs(zoomed.from - 1000) < 6 && Math.abs(zoomed.to - 2000) < 6, JSON.stringify(zoomed));
  await page.keyboard.press('Escape');
  assert.match(await text('#panel-selection'), /Click an operation/);
  await page.click('#fit');
  const top = memory('DM');
  await drag(at(40, top + 100), at(40, top + 30));
  assert.match(await text('#panel-selection'), /DM 0x[0-9a-f]+ to 0x[0-9a-f]+/);
  const one = tensor(4);
  await drag({ x: one.x - 50, y: one.y - 20 }, { x: one.x + 50, y: one.y + 20 }, 'Shift');
  assert.match(await text('#panel-selection'), /TRF 0x[0-9a-f]+ to 0x[0-9a-f]+[\s\S]*Tensors alive\s+1/);
});

test('searches by method, tensor, line and text', async () => {
  await visitSmall();
  for (const [words, found] of [['commit', '1 found'], ['to_dm', '2 found'], [':44', '1 found'], ['2 << 28', '1 found'], ['nothing of this', '0 found']]) {
    await page.fill('#search', words);
    assert.equal(await text('#found'), found, words);
  }
  await page.fill('#search', 'to_dm');
  await shot('search');
  await page.press('#search', 'Enter');
  assert.equal(await text('#panel-selection h2'), '#0 to_dm');
  await page.press('#search', 'Enter');
  assert.equal(await text('#panel-selection h2'), '#1 to_dm');
  await page.press('#search', 'Shift+Enter');
  assert.equal(await text('#panel-selection h2'), '#0 to_dm');
  await page.press('#search', 'Escape');
  assert.equal(await page.inputValue('#search'), '');
});

test('the critical path is shown when asked for', async () => {
  await visitSmall();
  await page.click('#critical');
  assert.equal(await page.getAttribute('#critical', 'aria-pressed'), 'true');
  assert.match(await text('#live'), /Critical path: 4 operations/);
  await page.mouse.move(5, 5);
  const { tensor } = await screen();
  const ink = id => inkAt({ ...tensor(id), x: tensor(id).x + 30 });
  const [beside, onPath] = [await ink(0), await ink(1)]; // the same picture, but for who reads them
  await page.click('#critical');
  await page.waitForTimeout(100);
  const dimmed = [await ink(0), await ink(1)];
  assert.equal(onPath, dimmed[1]);
  assert.notEqual(beside, dimmed[0], 'what the path does not touch is dimmed');
  await page.fill('#search', 'HBM write');
  await page.waitForTimeout(100);
  assert.notEqual(await ink(1), dimmed[1], 'nor what was found');
  await page.fill('#search', '');
  await page.click('#critical');
  await shot('critical');
});

test('colours by bottleneck, and idle lanes on demand', async () => {
  await visitSmall();
  await page.selectOption('#colour', 'bound');
  assert.match(await text('#legend'), /HBM read[\s\S]*contraction/);
  await page.click('#idle');
  assert.equal(await text('#idle'), 'Hide idle lanes');
  await shot('colours');
});

// ---- keyboard, theme, hash

test('everything is reached by keyboard alone', async () => {
  await visitSmall();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the timeline');
  await shot('skip-link');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('role')), 'application');
  await page.keyboard.press('n');
  assert.match(await text('#live'), /Operation 0, to_dm on tdma, line 25, cycles 0 to 1000, bound by HBM read\. let a/);
  for (let i = 0; i < 3; i++) await page.keyboard.press('n');
  assert.equal(await text('#panel-selection h2'), '#3 commit');
  await page.keyboard.press('w');
  assert.equal(await text('#panel-selection h2'), '#2 to_trf');
  await page.keyboard.press('Enter');
  const close = await windowShown();
  assert.ok(close.from > 900 && close.to < 1400, JSON.stringify(close));
  await page.keyboard.press('b');
  assert.match(await text('#panel-selection'), /Brushed[\s\S]*1,000 to 1,300/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('0');
  const all = await windowShown();
  for (const key of ['+', '+']) await page.keyboard.press(key);
  const zoomed = await windowShown();
  assert.ok(zoomed.to - zoomed.from < (all.to - all.from) * 0.6);
  await page.keyboard.press('Home');
  assert.equal((await windowShown()).from, 0);
  await page.keyboard.press('ArrowRight');
  assert.ok((await windowShown()).from > 0);
  await page.keyboard.press('-');
  await page.keyboard.press('/');
  await page.keyboard.type(':37');
  await page.keyboard.press('Enter');
  assert.equal(await text('#panel-selection h2'), '#3 commit');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  assert.ok(await page.isVisible('#help'));
  await shot('help');
  await page.keyboard.press('Escape');
  assert.ok(!(await page.isVisible('#help')));
});

test('a key that can do nothing says why', async () => {
  await visitSmall();
  await page.locator('canvas.timeline').focus();
  for (const [key, words] of [['w', /Select an operation first/], ['b', /Select an operation or a tensor first/], ['Enter', /Select/], ['z', /Brush first/]]) {
    await page.keyboard.press(key);
    assert.match(await text('#notice'), words);
    assert.match(await text('#live'), words);
  }
  await page.keyboard.press('n');
  await page.keyboard.press('w');
  assert.equal(await text('#notice'), 'It waited for no operation');
});

test('there is always a word on advice, and one reader is no readers', async () => {
  const doc = small();
  doc.summary.advice = [];
  await visit(writePage('no-advice', JSON.stringify(doc)));
  assert.match(await text('#panel-summary'), /Advice\s+None: contra found nothing/);
  const place = (await screen()).tensor(2);
  await page.mouse.move(place.x, place.y);
  await page.waitForSelector('#tooltip', { state: 'visible' });
  assert.match(await text('#tooltip'), /1 reader$/);
});

test('the table of operations is a grid for keyboard and screen reader', async () => {
  await visitSmall();
  await page.locator('#tab-summary').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.getAttribute('#tab-operations', 'aria-selected'), 'true');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'operations-grid');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.getAttribute('#operations-grid', 'aria-activedescendant'), 'row-2');
  assert.equal(await page.getAttribute('#row-2', 'aria-selected'), 'true');
  assert.match(await text('#live'), /Operation 2, to_trf/);
  assert.equal(await page.getAttribute('#operations-grid', 'aria-rowcount'), '6');
  await page.getByRole('button', { name: 'Cycles', exact: true }).click();
  assert.equal(await page.getAttribute('#operations-grid', 'aria-activedescendant'), 'row-4', 'the same operation');
  assert.match(await text('#row-0'), /3\s+commit\s+37\s+1,300\s+1,600\s+0/);
  const sorted = name => page.locator('[role=columnheader]', { hasText: name }).getAttribute('aria-sort');
  assert.deepEqual([await sorted('Cycles'), await sorted('Begin')], ['descending', 'none']);
  const arrow = () => page.evaluate(() => getComputedStyle(document.querySelector('[aria-sort$=ending] button'), '::after').content);
  assert.match(await arrow(), /\u2193/);
  await page.getByRole('button', { name: 'Cycles', exact: true }).click();
  assert.equal(await sorted('Cycles'), 'ascending');
  assert.match(await arrow(), /\u2191/);
  assert.match(await text('#row-0'), /2\s+to_trf/);
  await page.getByRole('button', { name: 'Slack', exact: true }).click();
  assert.equal(await sorted('Slack'), 'descending');
  assert.match(await text('#row-0'), /0\s+to_dm\s+25\s+0\s+1,000\s+300/);
  await shot('operations');
});

// axe knows the rules of WCAG that a program can check.
for (const colorScheme of ['light', 'dark'])
  for (const hash of ['', '#select=operation-3&critical=1', '#select=tensor-2', '#tab=operations', '#compare'])
    test(`axe finds nothing to complain of: ${colorScheme} ${hash}`, async () => {
      await visitSmall(hash, { colorScheme, bypassCSP: true });
      if (hash === '#compare') {
        await choose('#compare', writeJson('quicker.json', JSON.stringify(smallQuicker())));
        await page.waitForSelector('#verdict');
      }
      await page.addScriptTag({ path: fromViewer.resolve('axe-core/axe.min.js') });
      const { violations } = await page.evaluate(() => window.axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), []);
    });

test('every control has a name', async () => {
  await visitSmall('#select=operation-3');
  const unnamed = await page.evaluate(() => [...document.querySelectorAll('button, input:not([hidden]), select, canvas, svg[role=img], [role=grid], dialog')]
    .filter(one => !(one.getAttribute('aria-label') || one.getAttribute('aria-labelledby') || one.textContent.trim() || one.closest('label')))
    .map(one => one.outerHTML.slice(0, 80)));
  assert.deepEqual(unnamed, []);
});

test('light and dark, by the system and by the button', async () => {
  await visitSmall('#select=operation-3', { colorScheme: 'dark' });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await ground(), 'rgb(18, 21, 27)');
  await shot('dark');
  await page.click('#theme');
  assert.equal(await ground(), 'rgb(255, 255, 255)');
  await page.keyboard.press('t');
  assert.equal(await ground(), 'rgb(18, 21, 27)');
  await page.emulateMedia({ colorScheme: 'light' });
  assert.equal(await ground(), 'rgb(18, 21, 27)', 'the button wins');
});

test('the hash brings a view back', async () => {
  await visitSmall('#view=1000-2000&select=operation-3&find=commit&tab=operations&critical=1&colour=method');
  assert.equal(await text('#found'), '1 found');
  assert.equal(await page.getAttribute('#tab-operations', 'aria-selected'), 'true');
  assert.equal(await page.getAttribute('#critical', 'aria-pressed'), 'true');
  assert.equal(await page.inputValue('#colour'), 'method');
  assert.deepEqual(await windowShown(), { from: 1000, to: 2000 });
  assert.match(page.url(), /select=operation-3/);
});

test('the hash brings a brush and zoomed addresses back', async () => {
  await visitSmall('#brush=1000-2000,DM:4096-4608&addresses=DM:4096-4608');
  const panel = await text('#panel-selection');
  assert.match(panel, /Brushed[\s\S]*1,000 to 2,000[\s\S]*DM 0x1000 to 0x1200/);
  const { cycle, tensor } = await screen();
  const places = [2, 3].map(id => ({ x: cycle(500).x, y: tensor(id).y })); // where they are when all is shown
  const inks = () => Promise.all(places.map(inkAt));
  assert.equal((await inks())[0], (await inks())[1], 'one tensor fills the band');
  await page.locator('canvas.timeline').focus();
  await page.keyboard.press('c');
  await windowShown();
  const hash = decodeURIComponent(new URL(page.url()).hash);
  assert.match(hash, /brush=1000-2000,DM:4096-4608/);
  assert.match(hash, /addresses=DM:4096-4608/);
  await page.keyboard.press('0');
  await page.waitForTimeout(100);
  assert.notEqual((await inks())[0], (await inks())[1], 'all addresses');
});

test('the address keeps nothing of a schedule from a file', async () => {
  await visitSmall('#view=100-200');
  await choose('#open', writeJson('quicker.json', JSON.stringify(smallQuicker())));
  await page.locator('#total-cycles', { hasText: '3,400' }).waitFor();
  await page.locator('canvas.timeline').focus();
  for (const key of ['n', '+']) await page.keyboard.press(key);
  await page.waitForTimeout(400);
  assert.equal(new URL(page.url()).hash, '');
  await page.reload();
  assert.equal(await text('#total-cycles'), '3,900');
  await page.locator('canvas.timeline').focus();
  await page.keyboard.press('c');
  assert.deepEqual(await windowShown(), { from: 0, to: 3939 });
});

// ---- files

async function choose(button, file) {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click(button)]);
  await chooser.setFiles(file);
}

test('two schedules side by side, aligned by source line', async () => {
  await visitSmall();
  await choose('#compare', writeJson('quicker.json', JSON.stringify(smallQuicker())));
  assert.equal(await text('#verdict'), 'B is 12.8 % quicker');
  assert.deepEqual(await page.locator('.pane-title .muted').allInnerTexts(), ['3,900 cycles', '3,400 cycles']);
  assert.equal(await page.locator('canvas.timeline').count(), 2);
  assert.match(await text('.changes tbody tr'), /44 → 46[\s\S]*c\.to_hbm[\s\S]*bound by HBM write → start-up[\s\S]*1,000\s+500\s+−500/);
  await page.locator('.changes button').first().click();
  await shot('compare');
  await page.getByText('One over the other').click();
  await shot('compare-stacked');
  await page.getByText('Close B').click();
  assert.equal(await page.locator('canvas.timeline').count(), 1);
});

test('a comparison says what made the kernel quicker, and what is not comparable', async () => {
  await visitSmall();
  await choose('#compare', writeJson('hidden.json', JSON.stringify(smallHidden())));
  assert.match(await text('.changes caption'), /critical path/);
  assert.match(await text('.changes tbody tr'), /30[\s\S]*run beside others[\s\S]*300\s+0\s+\u2212300/);
  assert.equal(await page.locator('#grounds').count(), 0);
  const doc = small();
  doc.cost = 'static';
  doc.cycles = 1307856;
  Object.assign(doc.operations[4], { end: 1307856, uses: [[0, 2900, 1307856]] });
  await choose('#compare', writeJson('static.json', JSON.stringify(doc)));
  assert.match(await text('#grounds'), /The cost models differ: manual and static\./);
  assert.equal(await page.getAttribute('#verdict', 'class'), 'same', 'neither praised nor blamed');
  assert.equal(await page.locator('.changes tr.worse').count(), 0);
  const boxes = await page.locator('.changes tbody tr').first().locator('td').evaluateAll(cells => cells.map(cell => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return [range.getBoundingClientRect(), cell.getBoundingClientRect()].map(box => [box.left, box.right]);
  }));
  for (const [inner, cell] of boxes.slice(2)) assert.ok(inner[0] >= cell[0] && inner[1] <= cell[1] + 0.5, 'numbers stay in their columns');
  const panel = await page.locator('#panel-compare').evaluate(box => [box.scrollWidth, box.clientWidth]);
  assert.ok(panel[0] <= panel[1], `${panel}`);
  await shot('compare-models');
});

const corrupt = [
  ['cut off', JSON.stringify(small()).slice(0, 3000), /cut off/],
  ['noise', '\u0000\u0001 not a schedule <b>bold</b>', /not JSON/],
  ['another document', '{"format": "elf"}', /no schedule/],
];

for (const [name, content, reason] of corrupt)
  test(`a corrupt page says what is wrong: ${name}`, async () => {
    await visit(writePage('corrupt', content));
    assert.ok(await page.isVisible('#message'));
    assert.match(await text('#message-text'), reason);
    await shot('corrupt');
    await page.keyboard.press('Enter');
    assert.ok(await page.isVisible('#welcome-open'));
    await choose('#welcome-open', writeJson('fine.json', JSON.stringify(small())));
    assert.equal(await text('#total-cycles'), '3,900');
  });

test('a corrupt file leaves the open schedule alone', async () => {
  await visitSmall();
  const doc = small();
  doc.operations[3].uses[0][0] = 40;
  await choose('#open', writeJson('broken.json', JSON.stringify(doc)));
  await page.waitForSelector('#message', { state: 'visible' });
  assert.equal(await text('#message-title'), 'broken.json cannot be shown');
  assert.equal(await text('#message-text'), 'operations[3].uses[0]: there is no lane 40');
  assert.equal(await text('#total-cycles'), '3,900');
  await page.click('#message-close');
  await choose('#open', writeJson('kernel.tcpo', 'not read here'));
  await page.waitForSelector('#message', { state: 'visible' });
  assert.match(await text('#message-text'), /contra schedule kernel\.tcpo --html/);
  await page.keyboard.press('Escape');
  assert.ok(!(await page.isVisible('#message')), 'Esc closes it');
  for (const [name, content, reason] of [['notes.md', '# Notes', /not JSON, so it is no schedule/], ['kernel.rs', 'fn kernel() {}', /contra schedule kernel\.rs/],
    ['empty.html', template(), /holds no schedule/], ['other.html', '<p>', /holds no schedule/]]) {
    await choose('#open', writeJson(name, content));
    await page.waitForSelector('#message', { state: 'visible' });
    assert.match(await text('#message-text'), reason);
    assert.doesNotMatch(await text('#message-text'), /damaged/);
    await page.keyboard.press('Escape');
  }
});

test('nothing is left under a pointer that rests while the view moves', async () => {
  await visitSmall('#tab=operations');
  const { operation } = await screen();
  const canvas = () => page.locator('canvas.timeline').first();
  const hover = async () => {
    await page.mouse.move(operation(3).x - 5, operation(3).y);
    await page.mouse.move(operation(3).x, operation(3).y);
    await page.waitForSelector('#tooltip', { state: 'visible' });
  };
  await canvas().focus();
  for (const key of ['n', 'w', '+', 'End']) {
    await hover();
    await page.keyboard.press('Shift');
    assert.ok(await page.isVisible('#tooltip'), 'a modifier goes with the pointer');
    await page.keyboard.press(key);
    await page.waitForTimeout(50);
    assert.ok(!(await page.isVisible('#tooltip')), key);
    await page.keyboard.press('0');
  }
  await hover();
  await page.mouse.wheel(0, -800);
  await page.mouse.wheel(9000, 0); // to the end, where another operation lies there, or none
  await page.waitForTimeout(100);
  assert.ok(!(await page.isVisible('#tooltip')) || !/#3 /.test(await text('#tooltip')));
  await page.keyboard.press('0');
  await hover();
  await page.mouse.down();
  await page.mouse.move(operation(3).x + 60, operation(3).y);
  assert.ok(!(await page.isVisible('#tooltip')), 'a drag hides it');
  await page.mouse.up();
});

test('files are dropped to open and to compare', async () => {
  await visit(writePage('empty', ''));
  assert.ok(await page.isVisible('.welcome'));
  const drop = (content, target) => page.evaluate(([body, where]) => {
    const files = new DataTransfer();
    files.items.add(new File([body], 'dropped.json'));
    const fire = (type, element) => element.dispatchEvent(new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
    fire('dragenter', document.body);
    const shown = !document.getElementById('drop').hidden;
    fire('drop', document.querySelector(`[data-drop=${where}]`));
    return shown;
  }, [content, target]);
  assert.equal(await drop(JSON.stringify(small()), 'open'), true);
  await page.waitForSelector('#total-cycles');
  assert.equal(await drop(JSON.stringify(smallQuicker()), 'compare'), true);
  await page.waitForSelector('#verdict');
});

test('a page that contra wrote is opened like a schedule', async () => {
  await visit(writePage('empty', ''));
  writePage('small', JSON.stringify(small()));
  await choose('#welcome-open', `${OUT}small.html`);
  assert.equal(await text('#total-cycles'), '3,900');
});

test('where contra serves the page, it reads object files', async () => {
  const empty = template().replace('/*CONTRA_SCHEDULE*/', '');
  const server = createServer((request, answer) => {
    if (request.method === 'POST' && request.url === '/open?name=kernel.tcpo') answer.end(JSON.stringify(small()));
    else answer.end(empty);
  });
  await new Promise(resolve => { server.listen(0, '127.0.0.1', resolve); });
  try {
    await visit(`http://127.0.0.1:${server.address().port}/`);
    await choose('#welcome-open', writeJson('kernel.tcpo', 'object'));
    assert.equal(await text('#total-cycles'), '3,900');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('what a document says is text, never markup', async () => {
  const doc = small();
  const evil = '<img src=x onerror="document.title=`owned`"></script><script>document.title="owned"</script>';
  doc.kernel = evil;
  doc.texts = doc.texts.map(() => evil);
  doc.files = [evil];
  for (const operation of doc.operations) operation.method = operation.bound = evil;
  for (const tensor of doc.tensors) tensor.name = evil;
  doc.summary.advice = [evil];
  await visit(`${writePage('evil', JSON.stringify(doc))}#select=operation-3`);
  await page.waitForTimeout(300);
  assert.equal(await page.locator('img').count(), 0);
  assert.ok((await text('#panel-selection')).includes('<img src=x'));
  assert.ok(!(await page.title()).startsWith('owned'));
});

test('a small window still shows everything', async () => {
  await visitSmall('', { viewport: { width: 420, height: 800 } });
  assert.ok(await page.isVisible('canvas.timeline'));
  await shot('narrow');
  const url = writePage('narrow', JSON.stringify({ ...small(), kernel: 'a_kernel_with_a_long_name_and_one_buffer' }));
  for (const hash of ['#select=operation-3', '#select=tensor-2', '#tab=operations', '#tab=summary']) {
    await visit(url + hash, { viewport: { width: 390, height: 844 } });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, hash);
    await page.context().close();
  }
  await visitSmall();
});

test('a kernel without operations is shown', async () => {
  const doc = { ...small(), operations: [], tensors: [], critical: [], gaps: [], cycles: 0 };
  await visit(writePage('nothing', JSON.stringify(doc)));
  assert.equal(await text('#total-cycles'), '0');
  await page.locator('canvas.timeline').focus();
  for (const key of ['n', '+', '-', '0', 'Home', 'End', 'w', 'Enter', 'c']) await page.keyboard.press(key);
});

// ---- 50,000 operations

const percentiles = values => {
  const sorted = values.slice().sort((a, b) => a - b);
  const at = part => sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)];
  return { half: at(0.5), most: at(0.95), worst: at(1) };
};

// Time between frames, and of our script in each, while `events` of the wheel arrive one a frame.
async function frames(events) {
  return page.evaluate(async wheels => {
    const canvas = document.querySelector('canvas.timeline');
    const box = canvas.getBoundingClientRect();
    const times = [];
    window.scriptTimes.length = 0;
    let last = await new Promise(requestAnimationFrame);
    for (const wheel of wheels) {
      canvas.dispatchEvent(new WheelEvent('wheel', { ...wheel, clientX: box.left + box.width / 2, clientY: box.top + 250, cancelable: true }));
      const now = await new Promise(requestAnimationFrame);
      times.push(now - last);
      last = now;
    }
    return { times, scripts: window.scriptTimes.filter(time => time > 0.2) };
  }, events);
}

function report(what, { times, scripts }) {
  const [frame, script] = [times, scripts].map(percentiles);
  const show = one => `${one.half.toFixed(1)} / ${one.most.toFixed(1)} / ${one.worst.toFixed(1)} ms`;
  console.log(`page: ${what}: frames ${show(frame)}, script ${show(script)} (50 % / 95 % / worst), load ${loadavg()[0].toFixed(1)}`);
  assert.ok(frame.half < 500 && script.half < 200, `${what} is not usable`);
}

// A brush over everything, as it grows: each move says anew what it covers.
async function brushQuickly() {
  const times = await page.evaluate(top => {
    const canvas = document.querySelector('canvas.timeline');
    const box = canvas.getBoundingClientRect();
    const fire = (type, x) => canvas.dispatchEvent(new window.PointerEvent(type, { clientX: box.left + x, clientY: box.top + top, pointerId: 1, button: 0 }));
    canvas.setPointerCapture = () => {}; // there is no such pointer
    fire('pointerdown', 160);
    const taken = Array.from({ length: 12 }, (_, i) => {
      const start = performance.now();
      fire('pointermove', 300 + (i * (box.width - 300)) / 12);
      return performance.now() - start;
    });
    fire('pointerup', box.width);
    return taken;
  }, OVERVIEW + 10);
  const { half, worst } = percentiles(times);
  console.log(`page: brushing: ${half.toFixed(1)} ms a move, worst ${worst.toFixed(1)} ms`);
  assert.match(await text('#panel-selection .facts'), /Operations\s+4\d,\d\d\d/);
  assert.ok(half < 500, `a move of the brush takes ${half} ms`);
  await page.keyboard.press('Escape');
}

test(`${MANY} operations: opens, pans, zooms, searches`, async () => {
  const url = writePage('many', JSON.stringify(many(MANY)));
  await visit('about:blank');
  await page.addInitScript(() => {
    const later = window.requestAnimationFrame.bind(window);
    window.scriptTimes = [];
    window.requestAnimationFrame = run => later(now => {
      const start = performance.now();
      run(now);
      window.scriptTimes.push(performance.now() - start);
    });
  });
  const start = performance.now();
  await page.goto(url);
  await page.waitForSelector('#total-cycles');
  console.log(`page: ${MANY} operations open in ${Math.round(performance.now() - start)} ms`);
  await page.waitForTimeout(300);
  await shot('many');
  report('panning over all', await frames(Array.from({ length: 60 }, (_, i) => ({ deltaX: i % 20 < 10 ? 90 : -90 }))));
  report('zooming in', await frames(Array.from({ length: 60 }, () => ({ deltaY: -70 }))));
  report('panning close', await frames(Array.from({ length: 60 }, () => ({ deltaX: 120 }))));
  await shot('many-close');
  report('zooming out', await frames(Array.from({ length: 60 }, () => ({ deltaY: 70 }))));
  await page.click('#fit');
  await brushQuickly();
  await page.fill('#search', 'commit');
  assert.equal(await text('#found'), '10,000 found');
  await page.click('#tab-operations');
  assert.ok(await page.locator('.space .row').count() < 80, 'only rows in sight exist');
  await page.locator('#operations-grid').focus();
  await page.keyboard.press('End');
  assert.equal(await page.getAttribute('#operations-grid', 'aria-activedescendant'), 'row-9999');
  assert.ok(await page.isVisible('#row-9999'));
  await shot('many-search');
  assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 1500, 'no element per operation');
  await page.click('#fit');
  report('panning what was found', await frames(Array.from({ length: 30 }, () => ({ deltaX: 90 }))));
});
