/** Makes a folder equal to saved queries of a server: one file for each, `<name>.yaml`. */
import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINT_NAME_PATTERN } from '#contract/queries/saved-query';
import { isLocal, readLocal } from '../definition/local-definition';
import { printableLine } from '../../output/terminal';
import { codeOf, readTextFile } from './read-folder';

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export interface FolderPlan {
  readonly written: readonly (NamedText & { readonly file: string; readonly isNew: boolean })[];
  readonly unchanged: number;
  /** Files of saved queries that the server does not have. */
  readonly leftOver: readonly string[];
  /** Files under other names that define a saved query of `written`. */
  readonly twins: readonly string[];
}

/**
 * Decides what to write. Nothing is changed.
 * @throws Error when a name is no valid name of a saved query, or a file cannot be replaced
 */
export function planFolder(folder: string, queries: readonly NamedText[]): FolderPlan {
  mkdirSync(folder, { recursive: true });
  ensureNames(queries);
  const names = new Set(queries.map(({ name }) => name));
  const changed = queries.flatMap(({ name, text }) => {
    const file = join(folder, `${name}.yaml`);
    const present = presentText(file);
    return present === text ? [] : [{ name, text, file, isNew: present === null }];
  });
  const others = readdirSync(folder).flatMap((file) => {
    const stem = /^(.*)\.ya?ml$/.exec(file)?.[1];
    if (stem === undefined || (file.endsWith('.yaml') && names.has(stem))) return [];
    const defined = definedName(join(folder, file));
    return defined === null ? [] : [{ file: join(folder, file), isOwn: file === `${defined}.yaml`, defined }];
  });
  return {
    written: changed,
    unchanged: queries.length - changed.length,
    leftOver: others.filter(({ isOwn }) => isOwn).map(({ file }) => file),
    twins: others.filter(({ isOwn, defined }) => !isOwn && names.has(defined)).map(({ file }) => file),
  };
}

/** Writes each file as a whole: a reader sees the former text or the new one. */
export function writeFile(file: string, text: string): void {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: 'wx' });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new Error(`${file} cannot be written (${codeOf(error)}).`, { cause: error });
  }
}

/** Names come from the server and become names of files. */
function ensureNames(queries: readonly NamedText[]): void {
  const seen = new Set<string>();
  for (const { name } of queries) {
    if (!ENDPOINT_NAME_PATTERN.test(name))
      throw new Error(
        `Nothing was written: the server has a saved query with the name "${printableLine(name, 200)}", which is no valid name.`
      );
    if (seen.has(name)) throw new Error(`Nothing was written: the server has two saved queries "${name}".`);
    seen.add(name);
  }
}

/** @returns null when there is no such file. @throws Error for links and folders, which are not replaced */
function presentText(file: string): string | null {
  const facts = lstatSync(file, { throwIfNoEntry: false });
  if (!facts) return null;
  if (facts.isSymbolicLink())
    throw new Error(`Nothing was written: ${file} is a symbolic link. Remove it, or choose another folder.`);
  if (!facts.isFile()) throw new Error(`Nothing was written: ${file} is not a file. Remove it.`);
  try {
    return textOf(readFileSync(file));
  } catch (error) {
    throw new Error(`Nothing was written: ${file} cannot be read (${codeOf(error)}).`, { cause: error });
  }
}

/** A file that is not valid UTF-8 differs from every text of a server. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : `${text}\0`;
}

/** Name of the saved query that a regular file defines; null when it defines none. */
function definedName(file: string): string | null {
  if (!lstatSync(file).isFile()) return null;
  const read = readTextFile(file);
  if ('reason' in read) return null;
  const local = readLocal(read);
  return isLocal(local) ? local.definition.name : null;
}
