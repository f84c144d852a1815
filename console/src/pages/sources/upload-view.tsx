/** How far an upload is, how it ended, and which events were rejected. */
import type { ReactNode } from 'react';
import type { Problem } from '../../api/problem';
import { type UploadEnd, type UploadProgress } from '../../ingest/upload';
import { Failure } from '../../parts/failure';
import { sayBytes, sayCount, sayMillis } from '../../results/say-value';

interface UploadFacts {
  readonly name: string;
  /** Bytes of the file. */
  readonly size: number;
  readonly progress: UploadProgress;
}

export type UploadState = UploadFacts &
  (
    | { readonly kind: 'running'; readonly startedAtMs: number }
    | { readonly kind: UploadEnd; readonly seconds: number }
    | { readonly kind: 'cancelled' }
    | { readonly kind: 'failed'; readonly problem: Problem }
  );

export function UploadView({ state }: { readonly state: UploadState }): ReactNode {
  const { sent, readBytes, waitsFor } = state.progress;
  return (
    <section className="upload" aria-label="Upload">
      {state.kind === 'running' && (
        <div className="waiting">
          <progress aria-label="Sent" max={Math.max(1, state.size)} value={readBytes} />
          <span>
            {sayBytes(readBytes)} of {sayBytes(state.size)}
          </span>
        </div>
      )}
      {waitsFor !== null && state.kind === 'running' && (
        <p className="warning">Waiting for the service, which is tried again: {waitsFor.message}</p>
      )}
      <p role="status">{sayEnd(state)}</p>
      <p className="facts">
        <span>
          <strong>{(sent.accepted - sent.duplicates).toLocaleString()}</strong> stored
        </span>
        {sent.duplicates > 0 && (
          <span title="The same events of the same file, or events with the same id and time">
            <strong>{sent.duplicates.toLocaleString()}</strong> stored before
          </span>
        )}
        {sent.rejected > 0 && (
          <span className="warning">
            <strong>{sent.rejected.toLocaleString()}</strong> rejected
          </span>
        )}
      </p>
      {state.kind === 'failed' && (
        <>
          <Failure problem={state.problem} />
          {sent.accepted > 0 && <p>Send the same file again to go on: what is stored already is not stored twice.</p>}
        </>
      )}
      {sent.rejected > 0 && <RejectedEvents progress={state.progress} />}
    </section>
  );
}

function sayEnd(state: UploadState): string {
  const { rejected } = state.progress.sent;
  switch (state.kind) {
    case 'running':
      return 'Sending …';
    case 'complete':
      return `Sent in ${sayMillis(state.seconds * 1000)}${rejected > 0 ? ', without the rejected events' : ''}.`;
    case 'all_rejected':
      return `None of the first ${sayCount(rejected, 'event')} was accepted, so no more were sent.`;
    case 'cancelled':
      return 'Cancelled. Events that were being sent may be stored; the same file can be sent again.';
    case 'failed':
      return 'The upload ended early.';
  }
}

const MAX_SHOWN = 100;

function RejectedEvents({ progress }: { readonly progress: UploadProgress }): ReactNode {
  const { errors, rejected } = progress.sent;
  const shown = errors.slice(0, MAX_SHOWN);
  const rest = rejected - shown.length;
  return (
    <>
      <div className="scroll rejected" tabIndex={0} role="region" aria-label="Rejected events">
        <table className="list">
          <thead>
            <tr>
              <th scope="col" className="number">
                Event
              </th>
              <th scope="col">Code</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ index, code, message }) => (
              <tr key={`${index} ${code}`}>
                <td className="number">{(index + 1).toLocaleString()}</td>
                <td>
                  <code>{code}</code>
                </td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rest > 0 && <p className="soft">and {sayCount(rest, 'more', 'more')}</p>}
    </>
  );
}
