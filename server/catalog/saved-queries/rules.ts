/** Rules between a changed saved query and everything else that is served. */
import { ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { StoredToken } from '#contract/tokens/token';
import type { Definitions } from '../definitions/definitions';
import type { LoadedDefinition } from '../definitions/load-definitions';
import { nameTaken } from '../revisions/revision-heads';
import { valueListProblem } from '../definitions/value-list';

/** Names that are parts of paths below `/api/endpoints/`. */
export const RESERVED_NAMES: readonly string[] = ['query', 'validate', 'preview'];

/** @throws ServiceError `name_taken`, `definition_invalid` for a reserved name */
export function ensureFreeName({ id, name }: SavedQuery, definitions: Definitions): void {
  if (RESERVED_NAMES.includes(name)) throw invalid(['name'], `the name "${name}" is reserved`);
  const owner = definitions.find(name);
  if (owner && owner.id !== id) throw nameTaken('name', name);
}

/** @throws ServiceError `definition_invalid` */
export function ensureValueLists({ definition }: LoadedDefinition, all: readonly SavedQuery[]): void {
  const next = [...all.filter(({ id }) => id !== definition.id), definition];
  definition.parameters.forEach(({ values }, index) => {
    const reason = values && valueListProblem(values, next);
    if (reason !== undefined) throw invalid(['parameters', index, 'values'], reason);
  });
}

/** @throws ServiceError `endpoint_in_use` when the values of a parameter come from this saved query */
export function ensureNoDependents({ id, name }: SavedQuery, all: readonly SavedQuery[]): void {
  const dependents = all.filter(
    (other) => other.id !== id && other.parameters.some(({ values }) => values?.query === name)
  );
  if (dependents.length === 0) return;
  throw new ServiceError('endpoint_in_use', `Other saved queries take the values of a parameter from "${name}".`, {
    endpoints: dependents.map((other) => other.name),
  });
}

/** The tokens of the server. */
export interface TokensInUse {
  current(): Promise<Iterable<StoredToken>>;
}

/**
 * A token whose fixed parameter is a tenant reads only events of this tenant. Without the declaration it would read
 * those of all.
 *
 * @param next null: the saved query is deleted
 * @throws ServiceError `endpoint_in_use`
 */
export async function ensureTenantsStay(
  former: SavedQuery,
  next: SavedQuery | null,
  all: readonly SavedQuery[],
  tokens: TokensInUse
): Promise<void> {
  const others = all.filter(({ id }) => id !== former.id);
  const staying = tenantParameters(next ? [...others, next] : others);
  const lost = [...tenantParameters([former])].filter((name) => !staying.has(name));
  if (lost.length === 0) return;
  for (const { fixed_parameters, tenant, revoked_at, name } of await tokens.current()) {
    const parameter =
      revoked_at === null && tenant === null && lost.find((each) => Object.hasOwn(fixed_parameters, each));
    if (!parameter) continue;
    throw new ServiceError(
      'endpoint_in_use',
      `The parameter "${parameter}" of this saved query confines the token "${name}" to its tenant.`,
      { parameter, hint: 'give such tokens a tenant of their own ("tenant"), or revoke them, before this change' }
    );
  }
}

function tenantParameters(definitions: readonly SavedQuery[]): ReadonlySet<string> {
  return new Set(
    definitions.flatMap(({ parameters }) => parameters.filter(({ tenant }) => tenant).map(({ name }) => name))
  );
}

function invalid(path: readonly PropertyKey[], reason: string): ServiceError {
  return new ServiceError('definition_invalid', `The definition is not valid: ${reason}.`, {
    problems: [{ path, reason }],
  });
}
