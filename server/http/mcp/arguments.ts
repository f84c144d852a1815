/** Arguments of tools. */
import { z } from 'zod';
import { ServiceError } from '#contract/errors';
import { meantHint } from '#contract/nearest-name';
import { ensureWellFormed } from '../parsing/decode-text';
import type { NameValue } from '../parsing/query-string';
import { DEFAULT_ROWS, MAX_ROWS } from './result-text';
import { issueReason } from '../../common/issue-reason';

export type Arguments = Readonly<Record<string, unknown>>;

/** @throws ServiceError `parameter_invalid` with the argument */
export function readArguments<T extends z.ZodRawShape>(shape: T, given: Arguments): z.infer<z.ZodObject<T>> {
  const parsed = z.strictObject(shape).safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const known = Object.keys(shape);
  if (issue?.code === 'unrecognized_keys') throw unknownArgument(issue.keys, known);
  const name = (issue?.path ?? []).map(String).join('.').slice(0, MAX_SHOWN_NAME);
  const reason = issue === undefined ? 'is not valid' : issueReason(issue);
  throw new ServiceError('parameter_invalid', `The argument "${name}" ${reason}.`, { parameter: name });
}

const MAX_SHOWN_NAME = 64;

function unknownArgument(names: readonly string[], known: readonly string[]): ServiceError {
  const shown = names.join('.').slice(0, MAX_SHOWN_NAME);
  const ofQuery = known.includes('parameters') ? { hint: 'parameters of the saved query belong in "parameters"' } : {};
  return new ServiceError('parameter_invalid', `The argument "${shown}" is unknown.`, {
    parameter: shown,
    allowed: known,
    ...ofQuery,
    ...meantHint(names[0] ?? '', known),
  });
}

/**
 * Values of parameters as texts; null is an absent one.
 *
 * @throws ServiceError `parameter_invalid`, `encoding_invalid`
 */
export function parameterEntries(values: Arguments): readonly NameValue[] {
  return Object.entries(values).flatMap(([name, value]): NameValue[] => {
    if (value === null) return [];
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw new ServiceError(
        'parameter_invalid',
        `The argument "${name.slice(0, 64)}" must be a text, a number or a boolean.`,
        {
          parameter: name.slice(0, 64),
        }
      );
    return [[ensureWellFormed(name, 'An argument'), ensureWellFormed(String(value), 'An argument')]];
  });
}

export const parametersShape = z.record(z.string(), z.unknown()).default({});
export const maxRowsShape = z.number().int().min(1).max(MAX_ROWS).default(DEFAULT_ROWS);

/** The text of the agent: either language. @throws ServiceError `parameter_missing`, `parameter_conflict` */
export function readText({ sql, lql }: { readonly sql?: string | undefined; readonly lql?: string | undefined }): {
  readonly language: 'sql' | 'lql';
  readonly text: string;
} {
  if (sql !== undefined && lql !== undefined)
    throw new ServiceError('parameter_conflict', 'Give either "sql" or "lql", not both.', { parameter: 'lql' });
  const [language, text] = sql !== undefined ? (['sql', sql] as const) : (['lql', lql] as const);
  if (text === undefined)
    throw new ServiceError('parameter_missing', 'Give the query as "sql" or as "lql".', { missing: ['sql'] });
  return { language, text: ensureWellFormed(text, 'The query') };
}
