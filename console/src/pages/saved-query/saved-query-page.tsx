/** One saved query: its parameters, a run of it or of a text in its sandbox, its definition, and its call. */
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { serviceClock } from '../../api/service-clock';
import type { DescribedQuery } from '../../api/shapes';
import { IgnoredPartsNote } from '../../app/ignored-parts-note';
import { historyLink, QUERIES, queryLink } from '../../app/links';
import { useSession } from '../../app/session';
import { useLoaded } from '../../app/use-loaded';
import { useSearch } from '../../app/use-search';
import { useTitle } from '../../app/use-title';
import { Failure } from '../../parts/failure';
import { Tabs } from '../../parts/tabs';
import { Waiting } from '../../parts/waiting';
import { ValueText } from '../../results/values/value-text';
import { CallExamples } from './calls/call-examples';
import { Definition } from './definition';
import { QueryActions } from './query-actions';
import { QueryRunner } from './run/query-runner';
import { fillRange, timeParametersOf } from './run/time-range';
import { readParts, readState, type RunnerState, type View, writeState } from './run/runner-state';

const TABS: Readonly<Record<string, View>> = { Run: 'run', Definition: 'definition', 'Call it': 'call' };

export function SavedQueryPage({ name }: { readonly name: string }): ReactNode {
  const { api, may } = useSession();
  useTitle(name);
  const canRead = may('endpoints:read');
  const { value, problem, again } = useLoaded(name, async (signal) =>
    canRead ? api.result<DescribedQuery>(`/api/endpoints/${encodeURIComponent(name)}`, { signal }) : null
  );
  const [, goTo] = useLocation();
  const state = readState(useSearch());
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
  const names = Object.keys(TABS).filter((each) => value !== null || TABS[each] !== 'definition');
  const tab = names.find((each) => TABS[each] === state.view) ?? 'Run';
  return (
    <>
      <Heading name={name} />
      <IgnoredPartsNote {...readParts(state, value?.parameters ?? null)} />
      {value !== null && (
        <div className="lead">
          <p className="description">
            <ValueText text={value.description} />
          </p>
          <QueryActions query={value} />
        </div>
      )}
      <Tabs names={names} current={tab} onChoose={(next) => setState({ ...state, view: TABS[next] ?? 'run' })} />
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
  return { ...state, parameters: fillRange(state.parameters, state.span, range, serviceClock.now()) };
}

function Heading({ name }: { readonly name: string }): ReactNode {
  return (
    <h1>
      <Link href={QUERIES}>Saved queries</Link> <span aria-hidden>/</span> {name}
    </h1>
  );
}
