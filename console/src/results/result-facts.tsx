/** What is known about a run beside its rows. */
import type { ReactNode } from 'react';
import type { RunResult } from '../api/run-query';
import { Menu } from '../parts/menu';
import { formatCount } from './values/format-value';

export function ResultFacts({ result }: { readonly result: RunResult }): ReactNode {
  const { rows, isCut, isRedacted, cachedSeconds, elapsedMs, revision, warnings } = result;
  return (
    <div className="result-facts">
      <div className="facts" role="status">
        <strong>{formatCount(rows.length, 'row')}</strong>
        {isCut && <span className="mark warn">cut off: there are more rows</span>}
        {cachedSeconds === null ? (
          <Stages result={result} elapsed={elapsedMs < 10 ? elapsedMs.toFixed(1) : String(Math.round(elapsedMs))} />
        ) : (
          <span>from the cache, {cachedSeconds} s old</span>
        )}
        {isRedacted && <span className="mark">redacted</span>}
        <span>revision {revision}</span>
      </div>
      {warnings.map(({ message }) => (
        <p key={message} className="warning">
          {message}
        </p>
      ))}
    </div>
  );
}

const STAGES: Readonly<Record<string, string>> = {
  queue: 'waited for a permit',
  plan: 'compiled',
  db: 'in the store',
  redact: 'redacted',
  encode: 'encoded',
};

/** Where the time of a run went. */
function Stages({ result, elapsed }: { readonly result: RunResult; readonly elapsed: string }): ReactNode {
  const { stages } = result;
  if (stages.length === 0) return <span>ran {elapsed} ms</span>;
  const longest = Math.max(...stages.map(({ ms }) => ms), 0.1);
  return (
    <Menu label={`ran ${elapsed} ms`} title="Time of each stage">
      <table className="stages">
        <caption>Time of each stage</caption>
        <tbody>
          {stages.map(({ name, ms }) => (
            <tr key={name}>
              <th scope="row">{STAGES[name] ?? name}</th>
              <td className="number">{ms.toFixed(1)} ms</td>
              <td className="share">
                <meter min={0} max={longest} value={ms} aria-label={`${STAGES[name] ?? name}, of the longest stage`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Menu>
  );
}
