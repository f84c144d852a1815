/** Reads what is imported: JSON of the older service's management API, or a file of SQL. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isRecord } from '#contract/records';
import { codeOf } from '../folder/read-folder';
import { readStdin } from '../../output/read-stdin';
import { type OldQuery, oldQuerySchema } from './old-query';
import { toError } from '../../../common/caught-error';
import { issueReason } from '../../../common/issue-reason';

export interface ExportEntry {
  /** File, and the number of the entry in a list. */
  readonly place: string;
  readonly name: string;
  readonly query: OldQuery | { readonly reason: string };
}

/**
 * @param file path, or `-` for JSON from standard input.
 * @throws Error when it cannot be read or has no saved queries
 */
export async function readExport(file: string): Promise<readonly ExportEntry[]> {
  const text = decode(file, file === '-' ? await readStdin() : readBytes(file));
  if (/\.sql$/i.test(file)) {
    const name = basename(file).replace(/\.sql$/i, '');
    return [
      {
        place: file,
        name,
        query: text.trim() === '' ? { reason: 'the file is empty' } : oldQuerySchema.parse({ name, query: text }),
      },
    ];
  }
  const found = findList(parseJson(file, text));
  if (found === null)
    throw new Error(
      `${file} has no saved queries. It must be the JSON of the management API: a list, one object with "name" and "query", or an object with such a list.`
    );
  return found.map((value, index) => entryOf(found.length === 1 ? file : `${file}, entry ${index + 1}`, value));
}

function entryOf(place: string, value: unknown): ExportEntry {
  const name = isRecord(value) && typeof value['name'] === 'string' ? value['name'] : '';
  const parsed = oldQuerySchema.safeParse(value);
  if (parsed.success) return { place, name, query: parsed.data };
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  return {
    place,
    name,
    query: {
      reason: `the entry is no saved query: ${path === '' ? '' : `${path}: `}${issue === undefined ? '' : issueReason(issue)}`,
    },
  };
}

/** The list itself, one object, or the list inside an object. */
function findList(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value.length > 0 ? value : null;
  if (!isRecord(value)) return null;
  if (typeof value['query'] === 'string') return [value];
  const lists = Object.values(value).filter((each): each is unknown[] => Array.isArray(each) && each.some(isRecord));
  if (lists.length > 0) return lists.flat();
  const inner = Object.values(value).find((each) => isRecord(each) && typeof each['query'] === 'string');
  return inner === undefined ? null : [inner];
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new Error(`${file} is neither a .sql file nor valid JSON: ${toError(error).message}.`, { cause: error });
  }
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`${file} cannot be read (${codeOf(error)}).`, { cause: error });
  }
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new Error(`${file} is not valid UTF-8.`, { cause: error });
  }
}
