/**
 * Builds the console into build/console: one page, and assets whose names have a digest of their contents, each beside
 * its compressed forms.
 *
 *   node scripts/bundles/build-console.mjs
 */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { performance } from 'node:perf_hooks';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newestIn } from './newest-in.mjs';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const SOURCE = join(ROOT, 'console');
const TARGET = join(ROOT, 'build', 'console');
/** Folders whose files are part of the console. */
const INPUTS = [
  'console',
  'compiler',
  'contract',
  'src/language',
  'src/builder',
  'server/cli/sample-data',
  'package-lock.json',
];
/** Where the server finds the assets. */
const ASSETS_PATH = '/console/assets/';

/** @returns whether the console was built; false: it is up to date */
export async function buildConsole() {
  if (isUpToDate()) return false;
  const { build } = await import('esbuild');
  const fresh = `${TARGET}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { console: join(SOURCE, 'src', 'main.tsx'), icon: join(SOURCE, 'src', 'icon.svg') },
    outdir: join(fresh, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'copy' },
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['chrome109', 'firefox115', 'safari16'],
    jsx: 'automatic',
    minify: true,
    metafile: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfig: join(SOURCE, 'tsconfig.json'),
    logLevel: 'warning',
  });
  writePage(fresh, metafile);
  for (const name of readdirSync(join(fresh, 'assets'))) compress(join(fresh, 'assets', name));
  rmSync(TARGET, { recursive: true, force: true });
  renameSync(fresh, TARGET);
  return true;
}

/** @param {string} folder @param {import('esbuild').Metafile} metafile */
function writePage(folder, { outputs }) {
  const files = Object.entries(outputs).map(([path, output]) => ({
    url: `${ASSETS_PATH}${basename(path)}`,
    path,
    ...output,
  }));
  const script = files.find(({ entryPoint }) => entryPoint === 'console/src/main.tsx');
  const style = files.find(({ path }) => path === script?.cssBundle);
  const icon = files.find(({ path }) => path.endsWith('.svg'));
  if (!script || !style || !icon) throw new Error('the build of the console lacks its script, its style or its icon');
  const page = readFileSync(join(SOURCE, 'index.html'), 'utf8')
    .replace('{{script}}', script.url)
    .replace('{{style}}', style.url)
    .replace('{{icon}}', icon.url);
  writeFileSync(join(folder, 'index.html'), page);
}

/** @param {string} file */
function compress(file) {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
}

function isUpToDate() {
  const page = join(TARGET, 'index.html');
  if (!existsSync(page)) return false;
  const built = statSync(page).mtimeMs;
  return INPUTS.every((input) => newestIn(join(ROOT, input)) < built);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const startedAt = performance.now();
  const isBuilt = await buildConsole();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(isBuilt ? `Built the console in ${seconds} s: ${relative(ROOT, TARGET)}` : 'The console is up to date.');
}
