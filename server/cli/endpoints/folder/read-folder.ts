/** Reads the definitions of a folder, and of single files. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import {
  type DefinitionFile,
  type FileProblem,
  isLocal,
  type LocalDefinition,
  problemAt,
  readLocal,
} from '../definition/local-definition';
import { errorCode } from '../../../common/caught-error';

export interface ReadFiles {
  readonly locals: readonly LocalDefinition[];
  readonly problems: readonly FileProblem[];
}

const MAX_FILE_BYTES = 1024 * 1024;
const START = { line: 1, column: 1 } as const;

/**
 * Reads all `*.yaml` and `*.yml` files of a folder, without its subfolders and hidden files.
 * @throws Error when the folder cannot be read
 */
export function readFolder(folder: string): ReadFiles {
  const root = realFolder(folder);
  const texts = readdirSync(folder)
    .filter((name) => /\.ya?ml$/i.test(name) && !name.startsWith('.'))
    .sort()
    .map((name) => readInside(root, join(folder, name)));
  const problems = texts.filter((each): each is FileProblem => 'reason' in each);
  const read = readLocals(texts.filter((each): each is DefinitionFile => 'text' in each));
  return { locals: read.locals, problems: [...problems, ...read.problems] };
}

/** Parses texts, and refuses two with one id or name. */
export function readLocals(files: readonly DefinitionFile[]): ReadFiles {
  const results = files.map(readLocal);
  const locals = results.filter(isLocal);
  const problems = results.flatMap((result) => (isLocal(result) ? [] : result));
  return { locals, problems: [...problems, ...findTwins(locals)] };
}

/** @throws Error */
function realFolder(folder: string): string {
  try {
    if (statSync(folder).isDirectory()) return realpathSync(folder);
  } catch (error) {
    throw new Error(`The folder ${folder} cannot be read (${codeOf(error)}).`, { cause: error });
  }
  throw new Error(`${folder} is not a folder.`);
}

/** A link that leads out of the folder would send a file that is no part of it. */
function readInside(root: string, file: string): DefinitionFile | FileProblem {
  try {
    const real = realpathSync(file);
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep))
      return problemAt(file, START, 'is a symbolic link that leads out of the folder; copy the file into the folder');
  } catch (error) {
    return problemAt(file, START, `cannot be read (${codeOf(error)})`);
  }
  return readTextFile(file);
}

/** @returns the text byte for byte, or why it cannot be read */
export function readTextFile(file: string): DefinitionFile | FileProblem {
  try {
    const facts = statSync(file);
    if (!facts.isFile()) return problemAt(file, START, 'is not a file');
    if (facts.size > MAX_FILE_BYTES) return tooLong(file);
    return decode(file, readFileSync(file));
  } catch (error) {
    return problemAt(file, START, `cannot be read (${codeOf(error)})`);
  }
}

/** @param file name in problems */
export function decode(file: string, bytes: Uint8Array): DefinitionFile | FileProblem {
  if (bytes.length > MAX_FILE_BYTES) return tooLong(file);
  if (bytes.includes(0)) return problemAt(file, START, 'is not a text file');
  try {
    return { file, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return problemAt(file, START, 'is not valid UTF-8');
  }
}

function tooLong(file: string): FileProblem {
  return problemAt(file, START, `is longer than ${MAX_FILE_BYTES} bytes`);
}

export function codeOf(error: unknown): string {
  return errorCode(error) ?? 'unknown error';
}

function findTwins(locals: readonly LocalDefinition[]): readonly FileProblem[] {
  const firstNames = new Map<string, string>();
  const firstIds = new Map<string, string>();
  return locals.flatMap((local) => [
    ...twinOf(firstNames, local, 'name', local.definition.name),
    ...twinOf(firstIds, local, 'id', local.id),
  ]);
}

function twinOf(
  first: Map<string, string>,
  { file, loaded }: LocalDefinition,
  key: 'id' | 'name',
  value: string | null
): readonly FileProblem[] {
  if (value === null) return [];
  const earlier = first.get(value);
  if (earlier !== undefined)
    return [problemAt(file, loaded.positionOfKey(key), `the ${key} "${value}" is that of ${earlier} too`)];
  first.set(value, file);
  return [];
}
