/** Decides what is imported: converts every entry and checks it on the server. Nothing is stored. */
import { z } from 'zod';
import type { ManagementError } from '../../remote/management-client';
import { isAboutDefinition } from '../definition/check-on-server';
import { isLocal, type LocalDefinition, readLocal } from '../definition/local-definition';
import type { ListedQuery } from '../remote/answers';
import { inParallel } from '../remote/in-parallel';
import type { RemoteQueries } from '../remote/remote-queries';
import { type Converted, convert } from './convert';
import type { ExportEntry } from './read-export';
import { tablesOf } from './read-sql';

export type ImportStatus = 'ready' | 'imported' | 'present' | 'needs-source' | 'refused';

export interface ImportResult {
  readonly place: string;
  /** Name at the older service, or of the file. */
  readonly formerName: string;
  readonly converted: Converted | null;
  readonly status: ImportStatus;
  /** Saved query that is replaced; null: a new one. */
  readonly replaces: ListedQuery | null;
  /** Why it is not imported. */
  readonly reason: string | null;
  /** Tables that are no sources of the server. */
  readonly unknownTables: readonly string[];
}

export interface ImportOptions {
  /** New names of tables by old ones. */
  readonly mapping: ReadonlyMap<string, string>;
  readonly replace: boolean;
}

/** @returns one result for each entry, in their order */
export async function checkImport(
  entries: readonly ExportEntry[],
  remote: RemoteQueries,
  { mapping, replace }: ImportOptions
): Promise<readonly ImportResult[]> {
  const served = await remote.list();
  const first = new Map<string, string>();
  const unchecked = entries.map(({ place, name, query }): ImportResult => {
    const converted = 'reason' in query ? query : convert(query, mapping);
    const result = { place, formerName: name, replaces: null, reason: null, unknownTables: [] };
    if ('reason' in converted) return { ...result, converted: null, status: 'refused', reason: converted.reason };
    const twin = [converted.name, converted.id ?? converted.name].map((key) => first.get(key)).find((each) => each);
    for (const key of [converted.name, converted.id]) if (key !== null && !first.has(key)) first.set(key, place);
    if (twin === undefined) return { ...result, converted, status: 'ready' };
    return { ...result, converted, status: 'refused', reason: `${twin} has the same name or id` };
  });
  return inParallel(unchecked, async (result) =>
    result.status === 'ready' ? checkOne(result, result.converted!, served, remote, replace) : result
  );
}

async function checkOne(
  result: ImportResult,
  converted: Converted,
  served: readonly ListedQuery[],
  remote: RemoteQueries,
  replace: boolean
): Promise<ImportResult> {
  const { name, id } = converted;
  const byId = id === null ? undefined : served.find((each) => each.id.toLowerCase() === id);
  const byName = served.find((each) => each.name === name);
  const refuse = (reason: string): ImportResult => ({ ...result, status: 'refused', reason });
  if (byId && byName && byId !== byName)
    return refuse(`the id is that of "${byId.name}", the name that of another one`);
  const present = byId ?? byName;
  if (present?.origin === 'file') return refuse(`"${present.name}" is managed in a file of the server`);
  const text = present && id !== null && !byId ? withId(converted.text, present.id) : converted.text;
  if (present) {
    const { yaml } = await remote.revision(present.id, present.revision);
    if (yaml === text) return { ...result, status: 'present', replaces: present };
    if (!replace) return refuse(`the ${byId ? `id ${present.id}` : `name "${name}"`} is in use; --replace updates it`);
  }
  const local = readLocal({ file: result.place, text });
  if (!isLocal(local)) return refuse(local.map(({ reason }) => reason).join('; '));
  const notes =
    present && id !== null && !byId ? [...converted.notes, `the id stays ${present.id}, not ${id}`] : converted.notes;
  return compile({ ...result, converted: { ...converted, text, notes }, replaces: present ?? null }, local, remote);
}

/** The id of a saved query does not change. */
function withId(text: string, id: string): string {
  return `id: ${id}\n${text.replace(/^id: .*\n/, '')}`;
}

const refusalSchema = z.object({
  reason: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  tables: z.array(z.string()).optional().catch(undefined),
  position: z.object({ line: z.int(), column: z.int() }).optional().catch(undefined),
});

async function compile(result: ImportResult, local: LocalDefinition, remote: RemoteQueries): Promise<ImportResult> {
  try {
    await remote.validate(local.definition);
    return result;
  } catch (error) {
    if (!isAboutDefinition(error)) throw error;
    return refusal(result, local, error);
  }
}

function refusal(result: ImportResult, { definition }: LocalDefinition, error: ManagementError): ImportResult {
  const { reason, name, tables = [], position } = refusalSchema.parse(error.details);
  const at = position ? `line ${position.line}, column ${position.column} of the query: ` : '';
  if (reason !== 'table_not_available') return { ...result, status: 'refused', reason: at + error.message };
  const known = new Set(tables);
  const unknown = tablesOf(definition.query).flatMap((table) => (known.has(table.name) ? [] : [table.name]));
  const unknownTables = [...new Set(tables.length === 0 && name !== undefined ? [name] : unknown)];
  if (unknownTables.length === 0) return { ...result, status: 'refused', reason: at + error.message };
  return {
    ...result,
    status: 'needs-source',
    reason: 'it reads tables that are no sources of the server',
    unknownTables,
  };
}
