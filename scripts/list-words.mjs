/**
 * Lists words in code and documents that CONTRIBUTING.md ("Plain words") asks to avoid, so that each one that stays is
 * a choice:
 *
 *   npm run words                    # how often each word occurs, and where most
 *   npm run words -- server/cache    # every line in a folder
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './setup.mjs';

const WORDS = [
  'told',
  'held',
  'anew',
  'afresh',
  'whoever',
  'whatever',
  'somebody',
  'nobody',
  'is none',
  'are none',
  'so many',
  'stands for',
  'at hand',
  'gone',
  'lies in',
  'lie in',
  'looked at',
  'under way',
  'meanwhile',
  'of its own accord',
];
const PATTERN = new RegExp(String.raw`\b(${WORDS.join('|').replaceAll(' ', String.raw`\s+`)})\b`, 'gi');
const FILES = /\.(?:tsx?|m?js|cjs|md|ya?ml)$/;
/** Sample texts and texts of callers; this list. */
const LEFT_OUT = /^(?:tests\/corpus|server\/cli\/sample-data|docs\/images|scripts\/list-words)/;
const TOP_FOLDERS = 15;

const folders = process.argv.slice(2);
const files = execFileSync('git', ['ls-files', '--', ...folders], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => FILES.test(file) && !LEFT_OUT.test(file));
const found = files.flatMap(wordsIn);
if (folders.length > 0) for (const { file, line, text } of found) console.log(`${file}:${line}: ${text}`);
else summarize();

/** @typedef {{ readonly file: string, readonly line: number, readonly word: string, readonly text: string }} Found */

/**
 * @param {string} file
 * @returns {Found[]}
 */
function wordsIn(file) {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  return lines.flatMap((text, index) =>
    [...text.matchAll(PATTERN)].map(([word]) => ({
      file,
      line: index + 1,
      word: word.toLowerCase(),
      text: text.trim().slice(0, 160),
    }))
  );
}

function summarize() {
  print(
    'Word',
    countBy(found, ({ word }) => word)
  );
  print('Folder', countBy(found, ({ file }) => file.split('/').slice(0, 2).join('/')).slice(0, TOP_FOLDERS));
  console.log(`${found.length} in ${new Set(found.map(({ file }) => file)).size} of ${files.length} files.`);
}

/**
 * @param {readonly Found[]} entries
 * @param {(entry: Found) => string} keyOf
 * @returns {[string, number][]} the most frequent first
 */
function countBy(entries, keyOf) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const entry of entries) counts.set(keyOf(entry), (counts.get(keyOf(entry)) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

/**
 * @param {string} title
 * @param {readonly [string, number][]} counts
 */
function print(title, counts) {
  console.log(`${title}:`);
  for (const [name, count] of counts) console.log(`  ${String(count).padStart(5)}  ${name}`);
}
