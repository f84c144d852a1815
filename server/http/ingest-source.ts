/** The parameter `source` of the doors for events: the name of a source, or an alias. */
import type { Response } from 'express';
import { ServiceError } from '#contract/errors';
import type { Source } from '#contract/source';
import { nearestName } from '../nearest-name';
import { formatIgnored } from './bind-parameters';
import { pickOnce, queryOf } from './query-string';
import type { KeyedCall } from './router';

/** @returns null when it is absent or empty. @throws ServiceError `source_not_found`, `parameter_duplicate` */
export function readSource({ ctx, req, res }: KeyedCall): Source | null {
  const entries = queryOf(req);
  const name = pickOnce(entries, ['source']).get('source');
  noteIgnored(
    res,
    entries.map(([given]) => given).filter((given) => given !== 'source')
  );
  return name === undefined || name === '' ? null : findSource(ctx.sources.all, name);
}

function noteIgnored(res: Response, names: readonly string[]): void {
  if (names.length > 0) res.setHeader('SVC-ENDPOINT-IGNORED-PARAMETERS', formatIgnored([...new Set(names)]));
}

function findSource(sources: readonly Source[], name: string): Source {
  const source = sources.find((candidate) => candidate.name === name || candidate.aliases.includes(name));
  if (source) return source;
  const meant = nearestName(
    name,
    sources.flatMap((candidate) => [candidate.name, ...candidate.aliases])
  );
  throw new ServiceError(
    'source_not_found',
    'There is no source with this name.',
    meant === undefined ? {} : { hint: `did you mean "${meant}"?` }
  );
}
