/** Reads the case files under tests/corpus: text files whose lines that start with "# " are comments. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CORPUS = join(__dirname, '../../corpus');

/** The lines of a case file, without comments and empty lines. */
export function corpusLines(path: string): readonly string[] {
  return readFileSync(join(CORPUS, path), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '));
}

/** The files of a folder of cases: name and text. */
export function corpusFiles(folder: string): readonly (readonly [name: string, text: string])[] {
  return readdirSync(join(CORPUS, folder)).map((name) => [name, readFileSync(join(CORPUS, folder, name), 'utf8')]);
}
