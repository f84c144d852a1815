/** What is known about a run beside its rows. */
import type { ReactNode } from 'react';
import type { RunResult } from '../api/run-query';
import { sayCount } from './say-value';

export function ResultFacts({ result }: { readonly result: RunResult }): ReactNode {
  const { rows, isCut, isRedacted, cachedSeconds, elapsedMs, revision, stages, warnings } = result;
  const said = stages.map(({ name, ms }) => `${name} ${ms.toFixed(1)} ms`).join(', ');
  return (
    <>
      <p className="facts" role="status">
        <strong>{sayCount(rows.length, 'row')}</strong>
        {isCut && <span className="mark warn">cut off: there are more rows</span>}
        {cachedSeconds === null ? (
          <span title={said}>ran {elapsedMs < 10 ? elapsedMs.toFixed(1) : Math.round(elapsedMs)} ms</span>
        ) : (
          <span>from the cache, {cachedSeconds} s old</span>
        )}
        {isRedacted && <span className="mark">redacted</span>}
        <span>revision {revision}</span>
      </p>
      {warnings.map(({ message }) => (
        <p key={message} className="warning">
          {message}
        </p>
      ))}
    </>
  );
}
