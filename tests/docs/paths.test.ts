/**
 * Documents link to files and headings that exist, and name folders and files that exist. Decisions name those of their
 * day.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT = join(__dirname, '../..');
const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const withoutFences = (text: string): string => text.replaceAll(/^```.*?^```/gms, '');

/** As GitHub makes the anchor of a heading. */
function anchorOf(heading: string): string {
  const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

function anchorsOf(file: string): readonly string[] {
  const text = withoutFences(read(file));
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!));
  return [...headings, ...[...text.matchAll(/<a (?:id|name)="([^"]*)"/g)].map(([, id]) => id!)];
}

function isBroken(document: string, target: string): boolean {
  const [path, anchor] = target.split('#') as [string, string?];
  const file = path === '' ? document : relative(ROOT, join(ROOT, dirname(document), path));
  if (!existsSync(join(ROOT, file))) return true;
  return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor);
}

it.each(documents)('the links of %s lead somewhere', (document) => {
  const targets = [...withoutFences(read(document)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
  const own = targets.filter((target) => !/^[a-z]+:|^\//.test(target));
  expect(own.filter((target) => isBroken(document, target))).toEqual([]);
});

const FOLDERS = 'compiler|contract|server|backend|src|console|endpoints|examples|tests|benchmarks|scripts|tools|docs';
/** Named without the folder above them, and without the ending of a test. */
const TESTS = 'unit|integration|conformance|conformance-both|attacks|corpus';
const PATH = new RegExp(`\`((?:${FOLDERS}|${TESTS})/[\\w./-]*)\``, 'g');
/** Written by a run. */
const RESULTS = 'benchmarks/results/';

function isKnown(document: string, path: string): boolean {
  const places = ['', dirname(document), 'tests', 'tests/corpus', 'tests/integration'];
  const endings = ['', '.ts', '.tsx', '.test.ts', '.yaml', '.txt'];
  return places.some((place) => endings.some((ending) => existsSync(join(ROOT, place, path + ending))));
}

it.each(documents.filter((file) => !/^docs\/decisions\/|^CHANGELOG/.test(file)))(
  'the paths in %s exist',
  (document) => {
    const paths = [...withoutFences(read(document)).matchAll(PATH)].map(([, path]) => path!);
    expect(paths.filter((path) => path !== RESULTS && !isKnown(document, path))).toEqual([]);
  }
);
