/** Tabs, moved between with the arrow keys, Home and End. */
import { type KeyboardEvent, type ReactNode, useRef } from 'react';

interface TabsProps {
  readonly names: readonly string[];
  readonly current: string;
  readonly onChoose: (name: string) => void;
}

export function Tabs({ names, current, onChoose }: TabsProps): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const at = names.indexOf(current);
    const places: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const place = places[event.key];
    const next = place === undefined ? undefined : names.at(place % names.length);
    if (next === undefined) return;
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
