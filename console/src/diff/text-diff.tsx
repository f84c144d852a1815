/**
 * Differences of two texts, line by line, with the words of changed lines marked. Long equal stretches are left out.
 */
import { type ReactNode, useMemo } from 'react';
import { ValueText } from '../results/values/value-text';
import { diffRows } from './diff-rows';

interface TextDiffProps {
  readonly before: string;
  readonly after: string;
  /** What the two sides are, for the name of the region. */
  readonly label: string;
}

/** Rows that are drawn; the rest is said in words. */
const MAX_ROWS = 2000;
const SIGNS = { same: ' ', removed: '-', added: '+', gap: '' } as const;
const SAID = { removed: 'removed: ', added: 'added: ', same: '', gap: '' } as const;

export function TextDiff({ before, after, label }: TextDiffProps): ReactNode {
  const rows = useMemo(() => diffRows(before, after), [before, after]);
  if (before === after) return <p className="soft">The texts are equal.</p>;
  return (
    <div className="diff" role="region" aria-label={label} tabIndex={0}>
      {rows.slice(0, MAX_ROWS).map(({ kind, words, skipped }, at) => (
        <div key={at} className={`diff-line ${kind}`}>
          {kind === 'gap' ? (
            `${skipped.toLocaleString()} equal lines`
          ) : (
            <>
              <span className="sign" aria-hidden>
                {SIGNS[kind]}
              </span>
              <span className="unseen">{SAID[kind]}</span>
              <span className="line">
                {words.map(({ kind: isOf, line }, n) => {
                  const said = <ValueText key={n} text={line} />;
                  return isOf === 'same' ? said : <mark key={n}>{said}</mark>;
                })}
              </span>
            </>
          )}
        </div>
      ))}
      {rows.length > MAX_ROWS && <p className="soft">{(rows.length - MAX_ROWS).toLocaleString()} more lines differ.</p>}
    </div>
  );
}
