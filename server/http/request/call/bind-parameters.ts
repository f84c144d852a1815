/**
 * Binds the parameters of a call to the declarations of the saved query and to the values that the token fixes. Pure.
 */
import { ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { TokenPolicy } from '#contract/tokens/token';
import { meantHint, nearestName } from '#contract/nearest-name';
import { hideTokenTexts } from '../../../catalog/tokens/secrets/token-text';
import { CallPatterns } from './call-patterns';
import { checkValue } from './check-value';
import { type NameValue, pickOnce } from '../../parsing/query-string';

export interface BoundParameters {
  /** Declared parameters, in declared order; null when absent or empty. */
  readonly values: Readonly<Record<string, string | null>>;
  /** Given names that the saved query does not declare. */
  readonly ignored: readonly string[];
}

export interface BindOptions {
  /** Names that belong to the request and are not parameters. */
  readonly reserved: readonly string[];
  /** Whether required parameters may be absent, as when a text is checked without running it. */
  readonly partial?: boolean;
}

/** Restrictions of the access token. */
export interface BoundTo extends Pick<TokenPolicy, 'fixed_parameters'> {
  /** Result of `tenantOf`, which also considers fixed parameters. */
  readonly tenant: string | null;
}

type Declared = Pick<SavedQuery, 'parameters' | 'unknown_parameters'>;

/**
 * @throws ServiceError `parameter_duplicate`, `parameter_unknown`, `parameter_locked`, `parameter_missing` (all of them
 * in `details.missing`), `parameter_invalid`
 */
export function bindParameters(
  definition: Declared,
  entries: readonly NameValue[],
  bound: BoundTo,
  options: BindOptions
): BoundParameters {
  const names = definition.parameters.map((parameter) => parameter.name);
  const given = pickOnce(entries, names);
  const ignored = unknownNames(entries, [...names, ...options.reserved]);
  if (ignored.length > 0 && definition.unknown_parameters === 'refuse') throw unknownParameter(ignored[0]!, names);
  applyTenant(given, definition, bound.tenant);
  applyFixed(given, names, bound.fixed_parameters);
  const values = definition.parameters.map(
    (parameter) => [parameter.name, given.get(parameter.name) || parameter.default || null] as const
  );
  if (!options.partial) ensureNoneMissing(definition, values, ignored);
  const patterns = new CallPatterns();
  for (const [index, [, value]] of values.entries())
    if (value !== null) checkValue(definition.parameters[index]!, value, patterns);
  return { values: Object.fromEntries(values), ignored };
}

/** Formats ignored names as a header value: visible ASCII, bounded in length, no line breaks. */
export function formatIgnored(names: readonly string[]): string {
  return names
    .slice(0, MAX_IGNORED_NAMES)
    .map((name) =>
      encodeURIComponent(
        hideTokenTexts(name)
          .slice(0, MAX_IGNORED_LENGTH)
          .replace(/\p{Surrogate}/gu, '')
      )
        .replace(/%5B/g, '[')
        .replace(/%5D/g, ']')
    )
    .join(', ');
}

const MAX_IGNORED_NAMES = 20;
const MAX_IGNORED_LENGTH = 64;

function unknownNames(entries: readonly NameValue[], known: readonly string[]): readonly string[] {
  return [...new Set(entries.map(([name]) => name))].filter((name) => !known.includes(name));
}

function unknownParameter(name: string, names: readonly string[]): ServiceError {
  const shown = shownName(name);
  return new ServiceError('parameter_unknown', `The parameter "${shown}" is not declared.`, {
    parameter: shown,
    declared: names,
    ...meantHint(name, names),
  });
}

function applyTenant(given: Map<string, string>, { parameters }: Declared, tenant: string | null): void {
  if (tenant === null) return;
  for (const { name } of parameters.filter((parameter) => parameter.tenant)) {
    if ((given.get(name) || tenant) !== tenant)
      throw locked(
        name,
        `This access token belongs to a tenant that "${name}" does not name. Leave the parameter out.`
      );
    given.set(name, tenant);
  }
}

/** Refuses a saved query that does not declare a fixed parameter: the parameter would filter nothing. */
function applyFixed(
  given: Map<string, string>,
  names: readonly string[],
  fixed: TokenPolicy['fixed_parameters']
): void {
  for (const [name, value] of Object.entries(fixed)) {
    if (!names.includes(name))
      throw locked(
        name,
        `This access token is bound to the parameter "${name}", which this saved query does not declare.`
      );
    const callerValue = given.get(name);
    if (callerValue !== undefined && callerValue !== '' && callerValue !== value)
      throw locked(name, `This access token fixes the parameter "${name}" to another value.`);
    given.set(name, value);
  }
}

function locked(name: string, message: string): ServiceError {
  return new ServiceError('parameter_locked', message, { parameter: name });
}

function ensureNoneMissing(
  definition: Declared,
  values: readonly (readonly [string, string | null])[],
  ignored: readonly string[]
): void {
  const missing = definition.parameters
    .filter((parameter, index) => parameter.required && values[index]![1] === null)
    .map((parameter) => parameter.name);
  if (missing.length === 0) return;
  const list = missing.map((name) => `"${name}"`).join(', ');
  const message = missing.length === 1 ? `The parameter ${list} is required.` : `The parameters ${list} are required.`;
  throw new ServiceError('parameter_missing', message, { missing, ...misspeltHint(missing, ignored) });
}

/** A given name that may be meant as a missing one, such as `Project` or `project[]`. */
function misspeltHint(missing: readonly string[], ignored: readonly string[]): { readonly hint?: string } {
  for (const name of ignored.slice(0, MAX_IGNORED_NAMES)) {
    const meant = nearestName(name, missing);
    if (meant !== undefined) return { hint: `"${shownName(name)}" is not declared; did you mean "${meant}"?` };
  }
  return {};
}

function shownName(name: string): string {
  return hideTokenTexts(name).slice(0, MAX_IGNORED_LENGTH);
}
