/** Sends pasted events, or those of a file, to a source. */
import { type DragEvent, type ReactNode, useId } from 'react';
import type { EventFile } from '../../../ingest/event-pieces';
import type { ListedSource } from '../../../api/shapes';
import { useSession } from '../../../app/session';
import { ChosenFile } from './chosen-file';
import { type IngestChoice, IngestFields } from '../ingest-fields';
import { UploadView } from './upload-view';
import type { Sending } from './use-sending';

interface SendEventsProps {
  readonly sources: readonly ListedSource[] | null;
  readonly choice: IngestChoice;
  readonly onChoice: (choice: IngestChoice) => void;
  readonly sending: Sending;
}

export function SendEvents({ sources, choice, onChoice, sending }: SendEventsProps): ReactNode {
  const { own } = useSession();
  const { text, file, fault, state, isRunning } = sending;
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
      <EventInput file={file} fault={fault} isDisabled={isRunning} onFile={(chosen) => void sending.choose(chosen)}>
        {file === null ? (
          <TextInput
            text={text}
            isDisabled={isRunning}
            onText={sending.setText}
            onLongText={(pasted) => void sending.choose(new File([pasted], 'Pasted text'))}
          />
        ) : (
          <ChosenFile file={file} onRemove={isRunning ? null : sending.removeFile} />
        )}
      </EventInput>
      <div className="tools">
        <button
          type="button"
          className="main"
          disabled={!isReady || isRunning}
          // A double click would store a text twice.
          onClick={({ detail: clicks }) => clicks < 2 && void sending.send()}
        >
          Send to {choice.source === '' ? 'the source' : choice.source}
        </button>
        {isRunning && (
          <button type="button" onClick={sending.cancel}>
            Cancel
          </button>
        )}
      </div>
      {state !== null && <UploadView state={state} />}
    </>
  );
}

interface EventInputProps {
  readonly file: EventFile | null;
  /** Why the file that was chosen last is not taken. */
  readonly fault: string | null;
  readonly isDisabled: boolean;
  readonly onFile: (file: File | undefined) => void;
  /** What is sent: the text, or the chosen file. */
  readonly children: ReactNode;
}

/** Takes a file that is dropped or chosen. */
function EventInput({ file, fault, isDisabled, onFile, children }: EventInputProps): ReactNode {
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    onFile(event.dataTransfer.files[0]);
  };
  return (
    <div className="drop" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      {children}
      <p className="soft">
        {file === null ? 'Or drop a file here, or ' : 'Drop another file here, or '}
        <FileChooser isDisabled={isDisabled} onFile={onFile} />: JSON lines, a JSON array or plain text, also with gzip,
        of any size.
      </p>
      {fault !== null && <p className="warning">{fault}</p>}
    </div>
  );
}

interface TextInputProps {
  readonly text: string;
  readonly isDisabled: boolean;
  readonly onText: (text: string) => void;
  /** Takes a pasted text that the field cannot. */
  readonly onLongText: (text: string) => void;
}

/** Browsers take minutes to show a hundred thousand lines in a field. */
const MAX_PASTED = 200_000;

function TextInput({ text, isDisabled, onText, onLongText }: TextInputProps): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Events</label>
      <textarea
        id={id}
        value={text}
        rows={8}
        spellCheck={false}
        disabled={isDisabled}
        placeholder={EXAMPLE}
        onChange={(event) => onText(event.target.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text');
          if (pasted.length <= MAX_PASTED) return;
          event.preventDefault();
          onLongText(pasted);
        }}
      />
    </div>
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
