/**
 * Says what is awaited. Shown after a moment, so that quick answers do not flicker. After "Cancel" the focus is where
 * it was when the wait began: the button that has it goes.
 */
import { type ReactNode, useEffect, useState } from 'react';

const QUICK_MS = 200;

export function Waiting({ what, onCancel }: { readonly what: string; readonly onCancel?: () => void }): ReactNode {
  const [seconds, setSeconds] = useState<number | null>(null);
  const [focused] = useState(() => document.activeElement);
  useEffect(() => {
    const startedAt = performance.now();
    const tick = (): void => setSeconds((performance.now() - startedAt) / 1000);
    const first = setTimeout(tick, QUICK_MS);
    const timer = setInterval(tick, 1000);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, []);
  return (
    <div className="waiting" role="status">
      {seconds !== null && (
        <>
          <progress aria-label={what} /> {what} …{/* Read aloud, each second would interrupt. */}
          <span aria-hidden>{seconds >= 2 ? ` ${Math.floor(seconds)} s` : ''}</span>
        </>
      )}
      {onCancel && (
        <button
          type="button"
          onClick={() => {
            onCancel();
            // A button that was disabled for the wait can have the focus after the next render.
            if (focused instanceof HTMLElement) setTimeout(() => focused.focus());
          }}
        >
          Cancel
        </button>
      )}
    </div>
  );
}
