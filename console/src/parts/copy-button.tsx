/** Copies a text to the clipboard and says so. */
import { type ReactNode, useState } from 'react';

type Outcome = 'none' | 'copied' | 'refused';
const LABELS: Readonly<Record<Outcome, string>> = {
  none: 'Copy',
  copied: 'Copied',
  refused: 'Select and copy by hand',
};

export function CopyButton({ text }: { readonly text: string }): ReactNode {
  const [outcome, setOutcome] = useState<Outcome>('none');
  const copy = async (): Promise<void> => {
    // Browsers have a clipboard on secure pages only: https and localhost.
    const isCopied = await (navigator.clipboard as Clipboard | undefined)?.writeText(text).then(
      () => true,
      () => false
    );
    setOutcome(isCopied === true ? 'copied' : 'refused');
    setTimeout(() => setOutcome('none'), 2000);
  };
  return (
    <button type="button" onClick={() => void copy()} aria-live="polite">
      {LABELS[outcome]}
    </button>
  );
}
