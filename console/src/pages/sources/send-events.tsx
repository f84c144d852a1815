/** Sends pasted events, or those of a file, to a source. */
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { randomKey } from '../../api/random-key';
import { type EventFile, eventPieces, openEventFile } from '../../ingest/event-pieces';
import { NOTHING_SENT } from '../../ingest/send-events';
import { upload, type UploadProgress } from '../../ingest/upload';
import type { ListedSource } from '../../api/shapes';
import { useSession } from '../../app/session';
import { toProblem } from '../../app/use-loaded';
import { ChosenFile } from './chosen-file';
import { type IngestChoice, IngestFields } from './ingest-fields';
import { type UploadState, UploadView } from './upload-view';

interface SendEventsProps {
  readonly sources: readonly ListedSource[] | null;
  readonly choice: IngestChoice;
  readonly onChoice: (choice: IngestChoice) => void;
  /** Called when an upload has ended. */
  readonly onStored: () => void;
}

export function SendEvents({ sources, choice, onChoice, onStored }: SendEventsProps): ReactNode {
  const { token, own } = useSession();
  const [text, setText] = useState('');
  const [file, setFile] = useState<EventFile | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [state, setState] = useState<UploadState | null>(null);
  const running = useRef<AbortController | null>(null);
  const isRunning = state?.kind === 'running';
  const id = useId();

  useEffect(() => () => running.current?.abort(), []);
  useWarningWhile(isRunning);

  const choose = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined || isRunning) return;
    setState(null);
    setFault(null);
    try {
      setFile(await openEventFile(chosen, chosen.name));
    } catch {
      setFile(null);
      setFault(`${chosen.name} cannot be read: it is no file, or its compression is broken.`);
    }
  };

  const send = async (): Promise<void> => {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    const startedAtMs = performance.now();
    let progress: UploadProgress = { sent: NOTHING_SENT, readBytes: 0, waitsFor: null };
    const events = file ?? (await openEventFile(new Blob([text]), 'the text'));
    const facts = { size: events.size, name: events.name };
    const show = (next: UploadProgress): void => {
      progress = next;
      if (!signal.aborted) setState({ kind: 'running', ...facts, progress, startedAtMs });
    };
    show(progress);
    try {
      // Equal bytes of a file are the same events; a text that is pasted again may be meant.
      const key = file === null ? randomKey() : 'file';
      const target = { token, source: choice.source, project: own.tenant === null ? choice.project.trim() : '' };
      const end = await upload(target, eventPieces(events), { key, signal }, show);
      const seconds = (performance.now() - startedAtMs) / 1000;
      setState({ kind: end, ...facts, progress, seconds });
    } catch (error) {
      if (signal.aborted) setState({ kind: 'cancelled', ...facts, progress });
      else setState({ kind: 'failed', ...facts, progress, problem: toProblem(error) });
    } finally {
      running.current = null;
      onStored();
    }
  };

  const drop = (event: DragEvent): void => {
    event.preventDefault();
    void choose(event.dataTransfer.files[0]);
  };
  const isReady = choice.source !== '' && (file === null ? text.trim() !== '' : file.form !== 'binary');

  return (
    <>
      <IngestFields
        sources={sources}
        ownTenant={own.tenant}
        choice={choice}
        onChoice={onChoice}
        isDisabled={isRunning}
        projectHelp={tenantHelp(sources?.find(({ name }) => name === choice.source))}
      />
      <div className="drop" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        {file === null ? (
          <div className="field">
            <label htmlFor={`${id}-text`}>Events</label>
            <textarea
              id={`${id}-text`}
              value={text}
              rows={8}
              spellCheck={false}
              disabled={isRunning}
              placeholder={EXAMPLE}
              onChange={(event) => setText(event.target.value)}
            />
          </div>
        ) : (
          <ChosenFile file={file} onRemove={isRunning ? null : () => setFile(null)} />
        )}
        <p className="soft">
          {file === null ? 'Or drop a file here, or ' : 'Drop another file here, or '}
          <FileChooser isDisabled={isRunning} onFile={(chosen) => void choose(chosen)} />: JSON lines, a JSON array or
          plain text, also with gzip, of any size.
        </p>
        {fault !== null && <p className="warning">{fault}</p>}
      </div>
      <div className="tools">
        <button type="button" className="main" disabled={!isReady || isRunning} onClick={() => void send()}>
          Send to {choice.source === '' ? 'the source' : choice.source}
        </button>
        {isRunning && (
          <button type="button" onClick={() => running.current?.abort()}>
            Cancel
          </button>
        )}
      </div>
      {state !== null && <UploadView state={state} />}
    </>
  );
}

const EXAMPLE = '{"event_message":"hello","metadata":{"level":"info"}}';

function tenantHelp(source: ListedSource | undefined): string {
  if (source === undefined) return 'Of all events. Empty: each event names its own.';
  if (source.tenant === null) return 'This source has no tenants.';
  return `Of all events. Empty: each event names its own in ${source.tenant}.`;
}

function FileChooser(props: {
  readonly isDisabled: boolean;
  readonly onFile: (file: File | undefined) => void;
}): ReactNode {
  const { isDisabled, onFile } = props;
  return (
    <label className="file-chooser">
      choose one
      <input
        type="file"
        disabled={isDisabled}
        onChange={(event) => {
          onFile(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
    </label>
  );
}

/** The browser asks before it closes the page. */
function useWarningWhile(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isRunning]);
}
