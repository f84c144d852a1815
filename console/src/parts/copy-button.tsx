/** Copies a text to the clipboard and says so. */
import { type ReactNode, useState } from 'react';

type Outcome = 'none' | 'copied' | 'refused';

interface CopyButtonProps {
  /** A function is called when the text is needed. */
  readonly text: string | (() => string);
  readonly label?: string;
}

export function CopyButton({ text, label = 'Copy' }: CopyButtonProps): ReactNode {
  const [outcome, setOutcome] = useState<Outcome>('none');
  const copy = async (): Promise<void> => {
    setOutcome((await copyText(typeof text === 'string' ? text : text())) ? 'copied' : 'refused');
    setTimeout(() => setOutcome('none'), 2000);
  };
  return (
    <button type="button" onClick={() => void copy()} aria-live="polite">
      {outcome === 'none' ? label : outcome === 'copied' ? 'Copied' : 'Select and copy by hand'}
    </button>
  );
}

/** @returns false when the browser refuses */
async function copyText(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  // Pages without TLS have none, but on the machine itself.
  if (clipboard === undefined) return copySelected(text);
  return clipboard.writeText(text).then(
    () => true,
    () => false
  );
}

/** The older way, which every page has. */
function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  // Outside of a dialog that is open, nothing can be selected.
  (before?.closest('dialog') ?? document.body).append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
