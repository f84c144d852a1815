/** New events by minute of the last hour, as bars, and their rate now. */
import type { ReactNode } from 'react';
import type { Arrivals } from '../../../api/shapes';
import { arrivalRate } from './arrival-rate';

const BAR = 2;
const HEIGHT = 24;

export function ArrivalBars({ arrivals }: { readonly arrivals: Arrivals }): ReactNode {
  const { stored_by_minute: counts } = arrivals;
  const most = Math.max(...counts);
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return <span className="soft">none</span>;
  const label = `${all.toLocaleString()} new events in the last hour, at most ${most.toLocaleString()} in a minute`;
  return (
    <div className="arrivals" title={label}>
      <svg role="img" aria-label={label} width={counts.length * BAR} height={HEIGHT}>
        {counts.map((count, minute) => {
          const height = count === 0 ? 0 : Math.max(1, Math.round((count / most) * HEIGHT));
          return <rect key={minute} x={minute * BAR} y={HEIGHT - height} width={BAR - 0.5} height={height} />;
        })}
      </svg>
      <span className="soft">{arrivalRate(arrivals)}</span>
    </div>
  );
}
