/**
 * Parameters of the ingestion routes. `source` is the name, an alias or the id of a source; older senders call it
 * `source_name`, `collection_name` or the header `X-Source`. `project` is the tenant of all events of the request.
 */
import { type ErrorDetails, ServiceError } from '#contract/errors';
import type { TenantRule } from '#contract/events/ingest';
import type { Source } from '#contract/events/source';
import { isTenant, MAX_TENANT_BYTES } from '#contract/tokens/tenant';
import { HIDDEN_SOURCES_HINT, sourceNotFound } from '#contract/failures';
import { knownHint } from '#contract/nearest-name';
import { isNamed } from '../../catalog/definitions/sources';
import { SOURCE_KEYS } from '../../ingest/formats/json/body-source';
import { singleHeader } from '../parsing/header-values';
import { knownParameters } from '../request/known-parameters';
import { seesSources } from '../request/ensure-sees-sources';
import type { KeyedCall } from '../router';

export interface IngestParameters {
  /** Source of events that name none; null: the request names none either. */
  readonly source: Source | null;
  readonly tenant: TenantRule;
}

/**
 * @throws ServiceError `source_not_found`, `parameter_duplicate`, `parameter_conflict`, `parameter_invalid`,
 * `parameter_locked`, `header_invalid`
 */
export function readIngestParameters(call: KeyedCall): IngestParameters {
  const given = knownParameters(call, PARAMETERS);
  return { source: readSource(call, given, singleHeader(call.req, 'X-Source')), tenant: readTenant(call, given) };
}

/**
 * For protocols whose own parameters have names of ours: the source is the first of them that names one, and a value
 * that names none means something else.
 *
 * @param keys parameters that may name the source, in their order
 * @throws ServiceError `parameter_duplicate`, `parameter_invalid`, `parameter_locked`
 */
export function readForeignParameters(call: KeyedCall, keys: readonly string[]): IngestParameters {
  const given = knownParameters(call, [...keys, 'project']);
  const found = keys.map((key) => call.ctx.sources.all.find((source) => isNamed(source, given.get(key) ?? '')));
  return { source: found.find((source) => source !== undefined) ?? null, tenant: readTenant(call, given) };
}

const PARAMETERS: readonly string[] = [...SOURCE_KEYS, 'project'];

/** All places that name a source must name the same one: one of two would be ignored. */
function readSource(call: KeyedCall, given: ReadonlyMap<string, string>, header: string | undefined): Source | null {
  const named = [...SOURCE_KEYS.map((key) => given.get(key)), header].filter(
    (name) => name !== undefined && name !== ''
  );
  const [first, ...others] = named.map((name) => findSource(call, name!));
  if (others.some((other) => other !== first))
    throw new ServiceError('parameter_conflict', 'The request names several sources.', { parameter: 'source' });
  return first ?? null;
}

function readTenant(call: KeyedCall, given: ReadonlyMap<string, string>): TenantRule {
  const project = given.get('project') ?? '';
  const { tenant: confinedTo } = call;
  if (project !== '' && !isTenant(project))
    throw new ServiceError(
      'parameter_invalid',
      `The parameter "project" must have 1 to ${MAX_TENANT_BYTES} bytes and no control characters.`,
      { parameter: 'project' }
    );
  if (confinedTo !== null && project !== '' && project !== confinedTo)
    throw new ServiceError('parameter_locked', 'The access token belongs to another project.', {
      parameter: 'project',
    });
  return { confinedTo, given: project === '' ? null : project };
}

/** @throws ServiceError `source_not_found` */
export function findSource(call: KeyedCall, name: string): Source {
  const sources = call.ctx.sources.all;
  const source = sources.find((candidate) => isNamed(candidate, name));
  if (source) return source;
  const known = seesSources(call) ? sources.flatMap((candidate) => [candidate.name, ...candidate.aliases]) : [];
  throw sourceNotFound(name, known, knownSources(call));
}

/** A request that must name a source and does not. */
export function sourceMissing(call: KeyedCall): ServiceError {
  return new ServiceError('parameter_missing', 'The parameter "source" is required.', {
    missing: ['source'],
    ...knownSources(call),
  });
}

/** Sources that an error lists. */
const MAX_LISTED = 100;

/** Details of an error that list the sources, or say who may list them. */
function knownSources(call: KeyedCall): ErrorDetails {
  if (!seesSources(call)) return { hint: HIDDEN_SOURCES_HINT };
  const names = call.ctx.sources.all.map(({ name }) => name);
  return { ...knownHint('sources', names), sources: names.slice(0, MAX_LISTED) };
}
