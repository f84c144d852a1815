/** The text of a token, which the service gives once. It is in no storage and no address. */
import type { ReactNode } from 'react';
import { useUnsaved } from '../../app/leave-guard';
import { CopyButton } from '../../parts/copy-button';
import { useFocus } from '../../parts/use-focus';

interface SecretProps {
  readonly name: string;
  readonly text: string;
  readonly onDone: () => void;
}

/** Asks before the page is left while the text of a token is shown. @param name of the token; null: no text is shown */
export function useShownSecret(name: string | null): () => void {
  return useUnsaved(
    name === null ? null : `The text of the token “${name}” is shown once. It cannot be read again after you leave.`
  );
}

export function Secret({ name, text, onDone }: SecretProps): ReactNode {
  const release = useShownSecret(name);
  const place = useFocus<HTMLElement>();
  return (
    <section className="secret" aria-label="Text of the token" ref={place} tabIndex={-1}>
      <p role="alert">
        <strong>This is the only time that the text of “{name}” is shown.</strong> Copy it now to where it is used.
        Anyone who has it may do what the token may.
      </p>
      <div className="example">
        <pre className="text" tabIndex={0}>
          {text}
        </pre>
        <CopyButton text={text} />
      </div>
      <p className="actions">
        <button
          type="button"
          onClick={() => {
            release();
            onDone();
          }}
        >
          I have stored it
        </button>
      </p>
    </section>
  );
}
