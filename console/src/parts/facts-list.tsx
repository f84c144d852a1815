/** Names with their values; those without a value are left out. */
import type { ReactNode } from 'react';

export type Fact = readonly [name: string, value: ReactNode];

export function FactsList({ facts }: { readonly facts: readonly Fact[] }): ReactNode {
  return (
    <dl className="facts-list">
      {facts
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
