/**
 * Parameters of the ingestion routes: `source` is the name or alias of a source, `project` the tenant of all events of
 * the request.
 */
import type { ServerResponse } from 'node:http';
import { ServiceError } from '#contract/errors';
import type { TenantRule } from '#contract/ingest';
import type { Source } from '#contract/source';
import { isTenant, MAX_TENANT_BYTES } from '#contract/tenant';
import { sourceNotFound } from '#contract/failures';
import { formatIgnored } from '../request/bind-parameters';
import { pickOnce, queryOf } from '../parsing/query-string';
import type { KeyedCall } from '../router';

export interface IngestParameters {
  /** Source of events that name none; null: the request names none either. */
  readonly source: Source | null;
  readonly tenant: TenantRule;
}

/** @throws ServiceError `source_not_found`, `parameter_duplicate`, `parameter_invalid`, `parameter_locked` */
export function readIngestParameters(call: KeyedCall): IngestParameters {
  const { ctx, req, res } = call;
  const entries = queryOf(req);
  const given = pickOnce(entries, PARAMETERS);
  noteIgnored(
    res,
    entries.map(([name]) => name).filter((name) => !PARAMETERS.includes(name))
  );
  const name = given.get('source') ?? '';
  return { source: name === '' ? null : findSource(ctx.sources.all, name), tenant: readTenant(call, given) };
}

const PARAMETERS = ['source', 'project'];

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

function findSource(sources: readonly Source[], name: string): Source {
  const source = sources.find((candidate) => candidate.name === name || candidate.aliases.includes(name));
  if (source) return source;
  const known = sources.flatMap((candidate) => [candidate.name, ...candidate.aliases]);
  throw sourceNotFound(name, known);
}
