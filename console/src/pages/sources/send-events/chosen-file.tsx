/** A file before it is sent: what its events look like. */
import type { ReactNode } from 'react';
import type { EventForm } from '../../../ingest/event-form';
import type { EventFile } from '../../../ingest/event-pieces';
import { formatBytes } from '../../../results/values/format-value';

const FORMS: Readonly<Record<EventForm, string>> = {
  lines: 'JSON lines, one event each',
  array: 'a JSON array of events',
  values: 'JSON objects one after another',
  text: 'plain text: each line becomes an event with the time of its arrival',
  binary: 'no text, so it has no events',
};

interface ChosenFileProps {
  readonly file: EventFile;
  /** Null: it is being sent. */
  readonly onRemove: (() => void) | null;
}

export function ChosenFile({ file, onRemove }: ChosenFileProps): ReactNode {
  const { name, size, form, isGzip, preview } = file;
  return (
    <section className="chosen" aria-label="File">
      <p>
        <strong>{name}</strong>
        <span className="soft">
          {' '}
          · {formatBytes(size)}
          {isGzip ? ' · gzip' : ''} ·{' '}
        </span>
        <span className={form === 'binary' ? 'warning' : 'soft'}>{FORMS[form]}</span>
      </p>
      {preview !== '' && (
        <pre className="text" tabIndex={0} aria-label="Beginning of the file">
          {preview}
        </pre>
      )}
      {onRemove && (
        <button type="button" onClick={onRemove}>
          Remove the file
        </button>
      )}
    </section>
  );
}
