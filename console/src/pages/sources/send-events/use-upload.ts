/** One upload at a time, with what is shown of it. */
import { useEffect, useRef, useState } from 'react';
import { randomKey } from '../../../api/random-key';
import { useSession } from '../../../app/session';
import { toProblem } from '../../../app/use-loaded';
import { type EventFile, eventPieces, openEventFile } from '../../../ingest/event-pieces';
import { NOTHING_SENT } from '../../../ingest/send-events';
import { upload, type UploadProgress } from '../../../ingest/upload';
import type { IngestChoice } from '../ingest-fields';
import type { UploadState } from './upload-view';

export interface Upload {
  readonly state: UploadState | null;
  readonly isRunning: boolean;
  /** @param file null: the text is sent */
  readonly send: (text: string, file: EventFile | null) => Promise<void>;
  readonly cancel: () => void;
  readonly clear: () => void;
}

/** @param onStored called when an upload has ended */
export function useUpload({ source, project }: IngestChoice, onStored: () => void): Upload {
  const { token, own } = useSession();
  const [state, setState] = useState<UploadState | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const send = async (text: string, file: EventFile | null): Promise<void> => {
    if (running.current !== null) return;
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
      const target = { token, source, project: own.tenant === null ? project.trim() : '' };
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
  const cancel = (): void => running.current?.abort();
  return { state, isRunning: state?.kind === 'running', send, cancel, clear: () => setState(null) };
}
