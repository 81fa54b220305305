// Puts the extension and its client library into one file, with what belongs to it. `npm run build`
// then packs it.
import { build } from 'esbuild';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const { metafile } = await build({
  entryPoints: ['src/extension.js'],
  outfile: 'dist/extension.cjs',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  minify: true,
  metafile: true,
});

// The licenses of the packages that are in the bundle now.
function notice(folder) {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[sc]e/i.test(each));
  if (!file) throw new Error(`${name} has no license`);
  return `${name} ${version}\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`;
}

const inputs = Object.keys(metafile.inputs).map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
const packages = [...new Set(inputs)].filter(Boolean).sort();
writeFileSync('dist/NOTICES.txt', packages.map(notice).join(`\n${'-'.repeat(80)}\n\n`));
copyFileSync('../../LICENSE', 'LICENSE');
