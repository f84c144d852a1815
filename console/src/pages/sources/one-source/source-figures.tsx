/** Figures of the events of one source. */
import type { ReactNode } from 'react';
import type { ListedSource } from '../../../api/shapes';
import { FactsList, type Fact } from '../../../parts/facts-list';
import { formatMoment, formatTimeOr } from '../../../parts/format-change';
import { formatBytes } from '../../../results/values/format-value';
import { Arrivals, Days, FieldsInUse } from '../source-list/source-parts';

export function SourceFigures({ source }: { readonly source: ListedSource }): ReactNode {
  const { events, bytes, oldest_event, newest_event, arrivals } = source;
  const facts: readonly Fact[] = [
    ['Events', events.toLocaleString()],
    ['On disk', formatBytes(bytes)],
    ['Newest event', formatTimeOr(newest_event, 'none yet')],
    ['Oldest event', formatTimeOr(oldest_event, '')],
    ['Days', <Days key="days" source={source} />],
    [
      `Arrived in the last hour`,
      <div key="arrivals" title={`At this server, since ${formatMoment(arrivals.since)}`}>
        <Arrivals source={source} />
      </div>,
    ],
  ];
  return (
    <>
      <h2>Events</h2>
      <FactsList facts={facts} />
      <FieldsInUse source={source} />
    </>
  );
}
