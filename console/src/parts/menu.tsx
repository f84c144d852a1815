/** A button that opens a box below it. Escape closes the box, as do the pointer and the focus elsewhere. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

interface MenuProps {
  readonly label: string;
  readonly title?: string;
  readonly children: ReactNode;
}

export function Menu({ label, title, children }: MenuProps): ReactNode {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target }: Event): void => {
      const shown = menu.current;
      if (shown?.open === true && target instanceof Node && !shown.contains(target)) shown.open = false;
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('focusin', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('focusin', close);
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLDetailsElement>): void => {
    if (event.key !== 'Escape' || !event.currentTarget.open) return;
    event.currentTarget.open = false;
    event.currentTarget.querySelector('summary')?.focus();
  };
  return (
    <details className="menu" ref={menu} onKeyDown={onKeyDown}>
      <summary title={title}>{label}</summary>
      {children}
    </details>
  );
}
