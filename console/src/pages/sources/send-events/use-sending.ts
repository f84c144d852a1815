/** Events that a person has pasted or chosen, and their upload: kept while the page shows another view. */
import { useState } from 'react';
import { useUnsaved } from '../../../app/leave-guard';
import { type EventFile, openEventFile } from '../../../ingest/event-pieces';
import type { IngestChoice } from '../ingest-fields';
import { type Upload, useUpload } from './use-upload';

export interface Sending extends Pick<Upload, 'state' | 'isRunning' | 'cancel'> {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Null: the text is sent. */
  readonly file: EventFile | null;
  readonly choose: (file: File | undefined) => Promise<void>;
  readonly removeFile: () => void;
  /** Why the file that was chosen last is not taken. */
  readonly fault: string | null;
  readonly send: () => Promise<void>;
}

/** Ends of an upload after which a person may want to send the text again. */
const NOT_STORED: ReadonlyArray<string | undefined> = ['failed', 'cancelled', 'all_rejected'];

/** @param onStored called when an upload has ended */
export function useSending(choice: IngestChoice, onStored: () => void): Sending {
  const [text, setText] = useState('');
  const [file, setFile] = useState<EventFile | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const { state, isRunning, send, cancel, clear } = useUpload(choice, onStored);
  const [sentText, setSentText] = useState('');
  const isStored = text === sentText && !NOT_STORED.includes(state?.kind);
  useUnsaved(
    isRunning
      ? 'The upload has not ended. It stops when you leave this page.'
      : text.trim() !== '' && !isStored
        ? 'Your events are not sent. They are lost when you leave this page.'
        : null
  );

  const choose = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined || isRunning) return;
    clear();
    setFault(null);
    try {
      setFile(await openEventFile(chosen, chosen.name));
    } catch {
      setFile(null);
      setFault(`${chosen.name} cannot be read: it is no file, or its compression is broken.`);
    }
  };
  return {
    text,
    setText,
    file,
    choose,
    removeFile: () => setFile(null),
    fault,
    state,
    isRunning,
    send: () => {
      if (file === null) setSentText(text);
      return send(text, file);
    },
    cancel,
  };
}
