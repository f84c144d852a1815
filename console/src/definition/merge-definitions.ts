/**
 * Three-way merge of definitions: by field, parameter by parameter, and by line for the text of the query. What one
 * side alone changed is taken from it; where both did, a person chooses.
 */
import { mergeParts, type MergePart } from '#contract/lines/merge-lines';
import { isRecord } from '#contract/records';
import { type Fields, type FieldPath, readText, writeField } from './definition-text';
import { parametersOf } from './read-fields';

/** A field that at least one side changed. */
export interface ChangedField {
  /** `max_rows`, or `parameters.<name>` for a parameter as a whole. */
  readonly name: string;
  /** Undefined: the text has no such field. */
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  readonly outcome: 'mine' | 'theirs' | 'same' | 'conflict';
}

export type Side = 'mine' | 'theirs';
/** What a person chose for each field with a conflict. */
export type Choices = Readonly<Record<string, Side>>;

const PARAMETER = 'parameters.';
/** The service assigns them. */
const SKIPPED: readonly string[] = ['parameters', 'id', 'revision'];

export function changedFields(base: Fields, mine: Fields, theirs: Fields): readonly ChangedField[] {
  const flat = [flatten(base), flatten(mine), flatten(theirs)] as const;
  const names = [...new Set(flat.flatMap((each) => Object.keys(each)))];
  return names.flatMap((name) => {
    const [b, m, t] = flat.map((each) => each[name]);
    if (isEqual(b, m) && isEqual(b, t)) return [];
    const outcome = isEqual(m, t) ? 'same' : isEqual(b, m) ? 'theirs' : isEqual(b, t) ? 'mine' : 'conflict';
    return [{ name, base: b, mine: m, theirs: t, outcome }];
  });
}

function flatten(fields: Fields): Fields {
  const plain = Object.entries(fields).filter(([key]) => !SKIPPED.includes(key));
  const parameters = parametersOf(fields).map((each) => [`${PARAMETER}${String(each['name'])}`, each] as const);
  return Object.fromEntries([...plain, ...parameters]);
}

/** Both lists of keys are short: definitions have twenty fields. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, at) => isEqual(each, b[at]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && isEqual(a[key], b[key]));
}

/** The pieces of both changes of the query; null when they are not two changed texts. */
export function queryParts({ base, mine, theirs }: ChangedField): readonly MergePart[] | null {
  if (typeof base !== 'string' || typeof mine !== 'string' || typeof theirs !== 'string') return null;
  return mergeParts(base, mine, theirs);
}

/** Text of the pieces, with the choice for each conflict by its place among the pieces; null while one is missing. */
export function joinParts(
  parts: readonly MergePart[],
  choices: Readonly<Record<number, Side | 'both'>>
): string | null {
  const texts = parts.map((part, at) => {
    if (part.kind === 'agreed') return part.text;
    const choice = choices[at];
    if (choice === undefined) return null;
    if (choice === 'both') return withLineEnd(part.theirs) + part.ours;
    return choice === 'mine' ? part.ours : part.theirs;
  });
  return texts.includes(null) ? null : texts.join('');
}

const withLineEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/**
 * The merged text: theirs with the fields that are taken from mine, so that comments of both stay where that is
 * possible.
 * @param query the merged text of the query; null: as the other fields
 */
export function mergedText(
  texts: { readonly base: string; readonly mine: string; readonly theirs: string },
  fields: readonly ChangedField[],
  choices: Choices,
  query: string | null
): string {
  const taken = fields.flatMap(({ name, mine, outcome }): ReadonlyArray<[string, unknown]> => {
    if (name === 'query' && query !== null) return [[name, query]];
    const side = outcome === 'conflict' ? choices[name] : outcome;
    return side === 'mine' ? [[name, mine]] : [];
  });
  const merged = taken.reduce((text, [name, value]) => writeFlat(text, name, value), texts.theirs);
  return withComments(texts, merged);
}

/** Lines of YAML that merge by themselves keep the comments of both sides. They count when they say the same. */
function withComments({ base, mine, theirs }: { base: string; mine: string; theirs: string }, merged: string): string {
  const parts = mergeParts(base, mine, theirs);
  if (parts.some(({ kind }) => kind === 'conflict')) return merged;
  const lines = parts.map((part) => (part.kind === 'agreed' ? part.text : '')).join('');
  return isEqual(readText(lines).fields, readText(merged).fields) ? lines : merged;
}

function writeFlat(text: string, name: string, value: unknown): string {
  if (!name.startsWith(PARAMETER)) return writeField(text, [name], value);
  const parameter = name.slice(PARAMETER.length);
  const { fields } = readText(text);
  const present = parametersOf(fields ?? {});
  const at = present.findIndex((each) => String(each['name']) === parameter);
  const path: FieldPath = ['parameters', at === -1 ? present.length : at];
  if (at === -1 && present.length === 0) return writeField(text, ['parameters'], value === undefined ? [] : [value]);
  return at === -1 && value === undefined ? text : writeField(text, path, value);
}
