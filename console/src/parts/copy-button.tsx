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

/** @returns false when the browser refuses: it allows that on secure pages only */
async function copyText(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return false;
  return clipboard.writeText(text).then(
    () => true,
    () => false
  );
}
