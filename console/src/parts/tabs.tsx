/** Tabs, moved between with the arrow keys. */
import { type KeyboardEvent, type ReactNode, useRef } from 'react';

interface TabsProps {
  readonly names: readonly string[];
  readonly current: string;
  readonly onChoose: (name: string) => void;
}

export function Tabs({ names, current, onChoose }: TabsProps): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = names[(names.indexOf(current) + step + names.length) % names.length];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onChoose(next);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[names.indexOf(next)]?.focus();
  };
  return (
    <div className="tabs" role="tablist" ref={list} onKeyDown={move}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === current}
          tabIndex={name === current ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
