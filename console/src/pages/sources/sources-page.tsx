/** Where logs come in: sources, a box that sends events, and set-ups of log shippers. */
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { mayListSources } from '../../api/is-confined';
import type { ListedSource } from '../../api/shapes';
import { IgnoredPartsNote } from '../../app/ignored-parts-note';
import { SOURCES, withState } from '../../app/links';
import { useSession } from '../../app/session';
import { useAgain } from '../../app/use-again';
import { type Loaded, useLoaded } from '../../app/use-loaded';
import { useSearch } from '../../app/use-search';
import { useTitle } from '../../app/use-title';
import { Failure } from '../../parts/failure';
import { Tabs } from '../../parts/tabs';
import { Waiting } from '../../parts/waiting';
import { FirstSteps } from '../first-run/first-steps';
import { SendEvents } from './send-events/send-events';
import { useSending } from './send-events/use-sending';
import { ShipperSetups } from './setups/shipper-setups';
import { SourceList } from './source-list/source-list';
import type { IngestChoice } from './ingest-fields';

const LIST = 'Sources';
const SEND = 'Send events';
const SHIPPERS = 'Log shippers';
const VIEWS: Readonly<Record<string, string>> = { [LIST]: '', [SEND]: 'send', [SHIPPERS]: 'shippers' };

export function SourcesPage(): ReactNode {
  const { api, may, own } = useSession();
  useTitle('Sources');
  const canList = mayListSources(own);
  const loaded = useLoaded('sources', async (signal) =>
    canList ? api.result<readonly ListedSource[]>('/api/sources', { signal }) : []
  );
  const isRefused = !canList || loaded.problem?.status === 403;
  const sources = isRefused ? null : loaded.value;
  useAgain(isRefused ? null : loaded.again, 10_000);

  const names = [...(isRefused && may('ingest') ? [] : [LIST]), ...(may('ingest') ? [SEND] : []), SHIPPERS];
  const [, goTo] = useLocation();
  const search = new URLSearchParams(useSearch());
  const view = names.find((name) => VIEWS[name] === (search.get('view') ?? '')) ?? names[0] ?? LIST;
  const choice: IngestChoice = {
    source: search.get('source') ?? sources?.[0]?.name ?? '',
    project: search.get('project') ?? '',
  };
  const show = (next: string, { source, project }: IngestChoice = choice): void =>
    goTo(withState(SOURCES, { view: VIEWS[next] ?? '', source, project }), { replace: true });
  const choose = (next: IngestChoice): void => show(view, next);
  const sending = useSending(choice, loaded.again);

  // Later loads that fail must not take away a text that was typed, or an upload that is running.
  if (!isRefused && !loaded.hasEnded) return <Waiting what="Loading the sources" />;
  return (
    <>
      <h1>Sources</h1>
      <IgnoredPartsNote names={{ view: names.flatMap((name) => VIEWS[name] || []), source: null, project: null }} />
      <Tabs names={names} current={view} onChoose={(next) => show(next)} />
      {view === LIST && !canList && (
        <p>This token may not list the sources (scope endpoints:read, without a tenant or another limit).</p>
      )}
      {view === LIST && canList && (
        <SourceView loaded={loaded} onSend={may('ingest') ? (source) => show(SEND, { ...choice, source }) : null} />
      )}
      {view === SEND && <SendEvents sources={sources} choice={choice} onChoice={choose} sending={sending} />}
      {view === SHIPPERS && <ShipperSetups sources={sources} choice={choice} onChoice={choose} />}
    </>
  );
}

interface SourceViewProps {
  readonly loaded: Loaded<readonly ListedSource[]>;
  readonly onSend: ((source: string) => void) | null;
}

function SourceView({ loaded, onSend }: SourceViewProps): ReactNode {
  const { may } = useSession();
  const { value: sources, problem, again } = loaded;
  // The steps stay while their sample logs arrive.
  const [isLoadingSample, setLoadingSample] = useState(false);
  const isEmpty = sources?.every(({ events }) => events === 0) === true;
  return (
    <>
      {problem && <Failure problem={problem} onRetry={again} />}
      {sources !== null && (isEmpty || isLoadingSample) && (
        <FirstSteps sources={sources} onLoading={setLoadingSample} onStored={again} />
      )}
      {sources !== null && (
        <SourceList
          sources={sources}
          onSend={onSend}
          maySave={may('endpoints:write')}
          mayCreate={may('sources:write')}
          mayAudit={may('sources:write') && may('tokens:admin')}
        />
      )}
    </>
  );
}
