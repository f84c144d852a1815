/** How far an upload is, how it ended, and which events were rejected. */
import type { ReactNode } from 'react';
import type { Problem } from '../../../api/problem';
import { type UploadEnd, type UploadProgress } from '../../../ingest/upload';
import type { RejectedEvent } from '../../../ingest/send-events';
import { Failure } from '../../../parts/failure';
import { type Column, ListTable } from '../../../parts/list-table';
import { formatBytes, formatCount, formatMillis } from '../../../results/values/format-value';

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
            {formatBytes(readBytes)} of {formatBytes(state.size)}
          </span>
        </div>
      )}
      {waitsFor !== null && state.kind === 'running' && (
        <p className="warning">Waiting for the service, which is tried again: {waitsFor.message}</p>
      )}
      <p role="status">{formatEnd(state)}</p>
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

function formatEnd(state: UploadState): string {
  const { rejected } = state.progress.sent;
  switch (state.kind) {
    case 'running':
      return 'Sending …';
    case 'complete':
      return `Sent in ${formatMillis(state.seconds * 1000)}${rejected > 0 ? ', without the rejected events' : ''}.`;
    case 'all_rejected':
      return `None of the first ${formatCount(rejected, 'event')} was accepted, so no more were sent.`;
    case 'cancelled':
      return 'Cancelled. Events that were being sent may be stored; the same file can be sent again.';
    case 'failed':
      return 'The upload ended early.';
  }
}

const MAX_SHOWN = 100;

const REJECTED_COLUMNS: ReadonlyArray<Column<RejectedEvent>> = [
  { head: 'Event', isNumber: true, show: ({ index }) => (index + 1).toLocaleString() },
  { head: 'Code', show: ({ code }) => <code>{code}</code> },
  { head: 'Reason', show: ({ message }) => message },
];

function RejectedEvents({ progress }: { readonly progress: UploadProgress }): ReactNode {
  const { errors, rejected } = progress.sent;
  const shown = errors.slice(0, MAX_SHOWN);
  const rest = rejected - shown.length;
  return (
    <>
      <ListTable
        label="Rejected events"
        className="rejected"
        columns={REJECTED_COLUMNS}
        rows={shown}
        keyOf={({ index, code }) => `${index} ${code}`}
      />
      {rest > 0 && <p className="soft">and {formatCount(rest, 'more', 'more')}</p>}
    </>
  );
}
