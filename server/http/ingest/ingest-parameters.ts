/**
 * Parameters of the ingestion routes. `source` is the name, an alias or the id of a source; older senders call it
 * `source_name`, `collection_name` or the header `X-Source`. `project` is the tenant of all events of the request.
 */
import type { ServerResponse } from 'node:http';
import { ServiceError } from '#contract/errors';
import type { TenantRule } from '#contract/ingest';
import type { Source } from '#contract/source';
import { isTenant, MAX_TENANT_BYTES } from '#contract/tenant';
import { sourceNotFound } from '#contract/failures';
import { SOURCE_KEYS } from '../../formats/body-source';
import { singleHeader } from '../parsing/header-values';
import { formatIgnored } from '../request/bind-parameters';
import { pickOnce, queryOf } from '../parsing/query-string';
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
  const { ctx, req, res } = call;
  const entries = queryOf(req);
  const given = pickOnce(entries, PARAMETERS);
  noteIgnored(
    res,
    entries.map(([name]) => name).filter((name) => !PARAMETERS.includes(name))
  );
  return { source: readSource(ctx.sources.all, given, singleHeader(req, 'X-Source')), tenant: readTenant(call, given) };
}

const PARAMETERS: readonly string[] = [...SOURCE_KEYS, 'project'];

/** All places that name a source must name the same one: one of two would be ignored. */
function readSource(
  sources: readonly Source[],
  given: ReadonlyMap<string, string>,
  header: string | undefined
): Source | null {
  const named = [...SOURCE_KEYS.map((key) => given.get(key)), header].filter(
    (name) => name !== undefined && name !== ''
  );
  const [first, ...others] = named.map((name) => findSource(sources, name!));
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

function noteIgnored(res: ServerResponse, names: readonly string[]): void {
  if (names.length > 0) res.setHeader('SVC-ENDPOINT-IGNORED-PARAMETERS', formatIgnored([...new Set(names)]));
}

/** @throws ServiceError `source_not_found` */
export function findSource(sources: readonly Source[], name: string): Source {
  const id = name.toLowerCase();
  const source = sources.find(
    (candidate) => candidate.name === name || candidate.aliases.includes(name) || candidate.id?.toLowerCase() === id
  );
  if (source) return source;
  const known = sources.flatMap((candidate) => [candidate.name, ...candidate.aliases]);
  throw sourceNotFound(name, known);
}
