/** Saved queries with their parameters, limits and calls. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { CallFigures, ListedQuery } from '../../api/shapes';
import { queryLink } from '../../app/links';
import { sayAge, sayCount, sayMillis } from '../../results/say-value';
import type { FiguresById } from './use-call-figures';

interface QueryTableProps {
  readonly queries: readonly ListedQuery[];
  readonly figures: FiguresById;
}

export function QueryTable({ queries, figures }: QueryTableProps): ReactNode {
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Saved queries">
      <table className="list">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Parameters</th>
            <th scope="col">Result</th>
            {figures && (
              <>
                <th scope="col" className="number">
                  Calls, last hour
                </th>
                <th scope="col" className="number">
                  p95
                </th>
              </>
            )}
            <th scope="col">Changed</th>
            <th scope="col">Kept in</th>
          </tr>
        </thead>
        <tbody>
          {queries.map((query) => (
            <QueryRow key={query.id} query={query} figures={figures} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function QueryRow({ query, figures }: { readonly query: ListedQuery; readonly figures: FiguresById }): ReactNode {
  const { id, name, description, parameters, sandbox, redact_pii, origin } = query;
  const changed = query.updated_at ?? query.created_at;
  const own = figures?.get(id);
  return (
    <tr>
      <td>
        <Link href={queryLink(name)}>{name}</Link>
        <div className="soft">{description}</div>
      </td>
      <td>
        {parameters.map((parameter) => (
          <div key={parameter.name}>
            <code>{parameter.name}</code>
            {parameter.required ? '' : ' (optional)'}
          </div>
        ))}
      </td>
      <td>
        up to {sayCount(query.max_rows, 'row')}
        <CacheState query={query} figures={own} />
        <div>
          {sandbox && <span className="mark">sandbox</span>} {redact_pii && <span className="mark">redacted</span>}
        </div>
      </td>
      {figures && <CallCells figures={own} />}
      <td title={changed ?? ''}>
        {changed == null ? '' : sayAge(Date.parse(changed))}
        <div className="soft">revision {query.revision}</div>
      </td>
      <td>{origin === 'file' ? 'a file' : 'the service'}</td>
    </tr>
  );
}

interface FiguresProps {
  readonly figures: CallFigures | undefined;
}

function CacheState({ query, figures }: { readonly query: ListedQuery } & FiguresProps): ReactNode {
  const { cache_seconds, warm_seconds } = query;
  const cached = figures?.cached_results ?? 0;
  const warm = figures?.warm_results ?? 0;
  if (cache_seconds === null) return null;
  return (
    <>
      <div>
        cached for {sayPeriod(cache_seconds)}
        {cached > 0 && <span className="soft"> ({cached.toLocaleString()} now)</span>}
      </div>
      {warm_seconds !== null && warm_seconds > 0 && (
        <div>
          warmed every {sayPeriod(warm_seconds)}
          {warm > 0 && <span className="soft"> ({warm.toLocaleString()} now)</span>}
        </div>
      )}
    </>
  );
}

function CallCells({ figures }: FiguresProps): ReactNode {
  if (figures === undefined || figures.calls + figures.adhoc_calls === 0)
    return (
      <>
        <td className="number soft">0</td>
        <td />
      </>
    );
  const { calls, adhoc_calls, failed, cached, p50_ms, p95_ms, max_ms, last_call_at } = figures;
  const last = last_call_at === null ? '' : `last ${sayAge(Date.parse(last_call_at))}`;
  const longest = `half of the calls within ${sayMillis(p50_ms ?? 0)}, the longest ${sayMillis(max_ms ?? 0)}`;
  return (
    <>
      <td className="number" title={last}>
        {calls.toLocaleString()}
        {adhoc_calls > 0 && <div className="soft">and {adhoc_calls.toLocaleString()} ad-hoc</div>}
        {cached > 0 && <div className="soft">{cached.toLocaleString()} cached</div>}
        {failed > 0 && <div className="warning">{failed.toLocaleString()} failed</div>}
      </td>
      <td className="number" title={calls === 0 ? '' : longest}>
        {p95_ms === null ? '' : sayMillis(p95_ms)}
      </td>
    </>
  );
}

function sayPeriod(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
