/** Checks one saved query as plain data: its schema, and rules beyond the schema. The engine checks the query text. */
import { RE2JS, RE2JSSyntaxException } from 're2js';
import type { z } from 'zod';
import { PatternBudget } from '#contract/pattern-limits';
import { type SavedQuery, savedQuerySchema } from '#contract/queries/saved-query';
import { didYouMean } from '#contract/nearest-name';
import { issueReason } from '../../common/issue-reason';
import { MAX_PROBLEMS } from './yaml-file';

export interface ShapeProblem {
  readonly path: readonly PropertyKey[];
  /** Set when the problem is a key of the mapping at `path`, not its value. */
  readonly key?: string;
  readonly reason: string;
}

export type CheckedDefinition =
  | { readonly definition: SavedQuery; readonly problems: readonly [] }
  | { readonly definition: null; readonly problems: readonly ShapeProblem[] };

/** Reserved, because `sql` and `lql` carry ad-hoc text. */
const RESERVED_PARAMETER_NAMES: readonly string[] = ['sql', 'lql'];

/**
 * @param isStored an earlier version may have stored patterns that are too large; calls refuse them, so that one saved
 * query does not prevent the start
 */
export function checkDefinition(value: unknown, isStored = false): CheckedDefinition {
  const parsed = savedQuerySchema.safeParse(value);
  if (!parsed.success)
    return {
      definition: null,
      problems: parsed.error.issues.slice(0, MAX_PROBLEMS).flatMap(describeIssue).slice(0, MAX_PROBLEMS),
    };
  const patterns = isStored ? null : new PatternBudget('parameters');
  const problems = parsed.data.parameters.flatMap((_, index) => checkParameter(parsed.data, index, patterns));
  return problems.length > 0 ? { definition: null, problems } : { definition: parsed.data, problems: [] };
}

/** @returns problems of keys that no definition has */
export function findUnknownKeys(value: Readonly<Record<string, unknown>>): readonly ShapeProblem[] {
  return Object.keys(value)
    .filter((key) => !KNOWN_KEYS.includes(key))
    .slice(0, MAX_PROBLEMS)
    .map((key) => ({ path: [], key, reason: `unknown key "${key}"${didYouMean(key, KNOWN_KEYS)}` }));
}

const KNOWN_KEYS: readonly string[] = Object.keys(savedQuerySchema.shape);
const KNOWN_PARAMETER_KEYS: readonly string[] = Object.keys(savedQuerySchema.shape.parameters.unwrap().element.shape);

function describeIssue(issue: z.core.$ZodIssue): ShapeProblem[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, reason: describeValueIssue(issue) }];
  const known = issue.path.length === 0 ? KNOWN_KEYS : KNOWN_PARAMETER_KEYS;
  return issue.keys
    .slice(0, MAX_PROBLEMS)
    .map((key) => ({ path: issue.path, key, reason: `unknown key "${key}"${didYouMean(key, known)}` }));
}

function describeValueIssue(issue: z.core.$ZodIssue): string {
  const where = issue.path.length === 0 ? '' : `${formatPath(issue.path)}: `;
  const reason = issueReason(issue);
  return issue.path.length === 0 && reason === 'is missing' ? 'the file is empty' : `${where}${reason}`;
}

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index ? '.' : ''}${String(part)}`))
    .join('');
}

function checkParameter(definition: SavedQuery, index: number, patterns: PatternBudget | null): ShapeProblem[] {
  const parameter = definition.parameters[index]!;
  const at = (key: string, reason: string): ShapeProblem => ({ path: ['parameters', index, key], reason });
  const problems: ShapeProblem[] = [];
  if (RESERVED_PARAMETER_NAMES.includes(parameter.name))
    problems.push(at('name', `"${parameter.name}" is reserved for ad-hoc queries`));
  if (definition.parameters.findIndex((other) => other.name === parameter.name) < index)
    problems.push(at('name', `the parameter "${parameter.name}" is declared twice`));
  if (parameter.enum && parameter.default !== undefined && !parameter.enum.includes(parameter.default))
    problems.push(at('default', `"${parameter.default}" is not one of the enum`));
  if (parameter.tenant && (parameter.type !== 'text' || parameter.format !== undefined))
    problems.push(at('tenant', 'a tenant is a text of type "text" without a format'));
  if (parameter.tenant && parameter.default !== undefined)
    problems.push(at('default', 'a tenant has no default: it would read as the tenant of every caller'));
  const patternProblem = parameter.pattern === undefined ? undefined : describeBadPattern(parameter.pattern, patterns);
  if (patternProblem) problems.push(at('pattern', patternProblem));
  return problems;
}

/** @param patterns null: nothing is compiled */
function describeBadPattern(pattern: string, patterns: PatternBudget | null): string | undefined {
  if (patterns === null) return undefined;
  const limit = patterns.take(pattern);
  if (limit !== null) return limit;
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return `invalid regular expression: ${error.getDescription()}`;
    throw error;
  }
}
