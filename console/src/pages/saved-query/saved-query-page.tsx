/** One saved query: its parameters, a run of it or of a text in its sandbox, its definition, and its call. */
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { DescribedQuery } from '../../api/shapes';
import { historyLink, QUERIES, queryLink } from '../../app/links';
import { useSession } from '../../app/session';
import { useLoaded } from '../../app/use-loaded';
import { useSearch } from '../../app/use-search';
import { useTitle } from '../../app/use-title';
import { Failure } from '../../parts/failure';
import { Tabs } from '../../parts/tabs';
import { Waiting } from '../../parts/waiting';
import { CallExamples } from './calls/call-examples';
import { Definition } from './definition';
import { QueryActions } from './query-actions';
import { QueryRunner } from './run/query-runner';
import { fillRange, timeParametersOf } from './run/time-range';
import { readState, type RunnerState, writeState } from './run/runner-state';

const TABS = ['Run', 'Definition', 'Call it'] as const;
type Tab = (typeof TABS)[number];

export function SavedQueryPage({ name }: { readonly name: string }): ReactNode {
  const { api, may } = useSession();
  useTitle(name);
  const canRead = may('endpoints:read');
  const { value, problem, again } = useLoaded(name, async (signal) =>
    canRead ? api.result<DescribedQuery>(`/api/endpoints/${encodeURIComponent(name)}`, { signal }) : null
  );
  const [, goTo] = useLocation();
  const state = readState(useSearch());
  const [tab, setTab] = useState<Tab>('Run');
  const setState = (next: RunnerState): void => goTo(queryLink(name, writeState(next)), { replace: true });

  if (problem) {
    return (
      <>
        <Heading name={name} />
        <Failure problem={problem} onRetry={again} />
        {problem.code === 'endpoint_not_found' && canRead && (
          <p>
            If it was deleted, its <Link href={historyLink(name)}>history</Link> can bring it back.
          </p>
        )}
      </>
    );
  }
  if (canRead && value === null) return <Waiting what={`Loading ${name}`} />;
  return (
    <>
      <Heading name={name} />
      {value !== null && (
        <div className="lead">
          <p className="description">{value.description}</p>
          <QueryActions query={value} />
        </div>
      )}
      <Tabs names={value === null ? ['Run', 'Call it'] : TABS} current={tab} onChoose={(next) => setTab(next as Tab)} />
      <div hidden={tab !== 'Run'}>
        <QueryRunner name={name} query={value} state={state} onState={setState} />
      </div>
      {tab === 'Definition' && value !== null && <Definition query={value} />}
      {tab === 'Call it' && <CallExamples name={name} query={value} state={filled(state, value)} />}
    </>
  );
}

/** Other programs get the times that a span of the page means now. */
function filled(state: RunnerState, query: DescribedQuery | null): RunnerState {
  const range = query && timeParametersOf(query.parameters);
  return { ...state, parameters: fillRange(state.parameters, state.span, range, Date.now()) };
}

function Heading({ name }: { readonly name: string }): ReactNode {
  return (
    <h1>
      <Link href={QUERIES}>Saved queries</Link> <span aria-hidden>/</span> {name}
    </h1>
  );
}
