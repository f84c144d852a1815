/** A problem with what a person can do about it. */
import type { ReactNode } from 'react';
import type { Problem } from '../api/problem';

interface FailureProps {
  readonly problem: Problem;
  /** Offers to try again. */
  readonly onRetry?: () => void;
  /** Offers to go to the position of the problem in the text. */
  readonly onShow?: (position: { readonly line: number; readonly column: number }) => void;
}

export function Failure({ problem, onRetry, onShow }: FailureProps): ReactNode {
  const { code, details, requestId } = problem;
  const { position, hint, reason } = details;
  return (
    <div className="failure" role="alert">
      <p className="message">{problem.message}</p>
      {hint !== undefined && <p>Hint: {hint}</p>}
      <p className="facts">
        <code>{reason === undefined ? code : `${code}: ${reason}`}</code>
        {position !== undefined && (
          <span>
            line {position.line}, column {position.column}
          </span>
        )}
        {requestId !== null && <span title="The log of the service has this id">request {requestId}</span>}
      </p>
      {(onRetry ?? (onShow && position)) && (
        <p className="actions">
          {onShow && position && (
            <button type="button" onClick={() => onShow(position)}>
              Show in the text
            </button>
          )}
          {onRetry && (
            <button type="button" onClick={onRetry}>
              Try again
            </button>
          )}
        </p>
      )}
    </div>
  );
}
