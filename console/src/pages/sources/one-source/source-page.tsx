/** One source: its definition, its last change, its events, and what a person can do with it. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { mayListSources } from '../../../api/is-confined';
import type { Problem } from '../../../api/problem';
import type { ListedSource } from '../../../api/shapes';
import { type DescribedSource, listSources, readSource } from '../../../api/sources';
import { IgnoredPartsNote } from '../../../app/ignored-parts-note';
import {
  editSourceLink,
  NEW_SOURCE,
  newQueryOfSource,
  sendLink,
  shippersLink,
  sourceHistoryLink,
  SOURCES,
  withState,
} from '../../../app/links';
import { useSession } from '../../../app/session';
import { useAgain } from '../../../app/use-again';
import { toProblem, useLoaded } from '../../../app/use-loaded';
import { useTitle } from '../../../app/use-title';
import { Failure } from '../../../parts/failure';
import { FactsList, type Fact } from '../../../parts/facts-list';
import { formatAuthor, formatTimeOr } from '../../../parts/format-change';
import { Waiting } from '../../../parts/waiting';
import { formatCount } from '../../../results/values/format-value';
import { ValueText } from '../../../results/values/value-text';
import { DeleteSource } from './delete-source';
import { OfFileNotice } from './of-file-notice';
import { SourceColumns } from './source-columns';
import { SourceFigures } from './source-figures';

export function SourcePage({ name }: { readonly name: string }): ReactNode {
  const { api, own, may } = useSession();
  useTitle(name);
  const canRead = mayListSources(own);
  const { value, problem, again } = useLoaded(name, async (signal) => {
    if (!canRead) return null;
    // Without the figures, which the store gives, the definition can be read and changed.
    const figures = listSources(api, signal).then(
      (all) => ({ all, missing: null }),
      (error: unknown) => ({ all: [], missing: toProblem(error) })
    );
    const source = await readSource(api, name, signal);
    const { all, missing } = await figures;
    return { source, listed: all.find((each) => each.name === source.name), missing };
  });
  const isMissing = problem?.code === 'source_not_found';
  // A person who has just sent the first events waits for them.
  useAgain(canRead && !isMissing ? again : null, value?.listed?.events === 0 ? 3_000 : 10_000);
  return (
    <>
      <h1>
        <Link href={SOURCES}>Sources</Link> <span aria-hidden>/</span> {value?.source.name ?? name}
      </h1>
      <IgnoredPartsNote names={{}} />
      {!canRead && <p>This token may not read sources (scope endpoints:read, without a tenant or another limit).</p>}
      {canRead && problem && <Failure problem={problem} onRetry={again} />}
      {isMissing && may('sources:write') && (
        <p>
          If it was deleted, its <Link href={sourceHistoryLink(name)}>history</Link> restores it. You can also{' '}
          <Link href={withState(NEW_SOURCE, { name })}>create it</Link> under this name. Either way, the events that are
          stored are read again.
        </p>
      )}
      {canRead && value === null && problem === null && <Waiting what={`Loading ${name}`} />}
      {value !== null && !isMissing && <SourceView {...value} />}
    </>
  );
}

interface SourceViewProps {
  readonly source: DescribedSource;
  /** Undefined: not known, or it was created between the two answers. */
  readonly listed: ListedSource | undefined;
  /** Why the figures are not known; null: they are. */
  readonly missing: Problem | null;
}

function SourceView({ source, listed, missing }: SourceViewProps): ReactNode {
  const { description, origin, yaml } = source;
  return (
    <>
      {description !== '' && (
        <p className="description">
          <ValueText text={description} />
        </p>
      )}
      <Actions source={source} events={listed?.events ?? null} />
      {listed?.events === 0 && <NextSteps name={source.name} />}
      {origin === 'file' && <OfFileNotice />}
      <h2>Definition</h2>
      <FactsList facts={factsOf(source)} />
      {listed && <SourceFigures source={listed} />}
      {missing && <Failure problem={missing} />}
      <SourceColumns source={source} listed={listed} />
      {yaml != null && (
        <details>
          <summary>Definition as YAML</summary>
          <pre className="text" tabIndex={0}>
            <ValueText text={yaml} />
          </pre>
        </details>
      )}
    </>
  );
}

interface ActionsProps {
  readonly source: DescribedSource;
  /** Null: not known. */
  readonly events: number | null;
}

function Actions({ source, events }: ActionsProps): ReactNode {
  const { may } = useSession();
  const { name, revision } = source;
  const mayChange = may('sources:write') && revision !== null;
  const links = [
    { label: 'Send events', to: sendLink(name), isShown: may('ingest') },
    { label: 'Log shippers', to: shippersLink(name), isShown: true },
    { label: 'New saved query', to: newQueryOfSource(name), isShown: may('endpoints:write') },
    { label: 'Edit', to: editSourceLink(name), isShown: mayChange },
    { label: 'History', to: sourceHistoryLink(name), isShown: revision !== null },
  ];
  return (
    <p className="actions">
      {links.map(({ label, to, isShown }) =>
        isShown ? (
          <Link key={label} href={to}>
            {label}
          </Link>
        ) : null
      )}
      {mayChange && <DeleteSource name={name} revision={revision} events={events} />}
    </p>
  );
}

/** While no event has arrived. */
function NextSteps({ name }: { readonly name: string }): ReactNode {
  const { may } = useSession();
  return (
    <section className="first-steps" aria-label="Next steps">
      <h2>No events have arrived yet</h2>
      <ol>
        <li>
          <Link href={shippersLink(name)}>Set up a log shipper</Link>: OpenTelemetry, Vector, Fluent Bit and others.
        </li>
        {may('ingest') && (
          <li>
            Or <Link href={sendLink(name)}>paste events or drop a file</Link>, to see that it works.
          </li>
        )}
        {may('endpoints:write') && (
          <li>
            <Link href={newQueryOfSource(name)}>Make a saved query of it</Link>: the newest events, a time range and a
            live tail.
          </li>
        )}
      </ol>
    </section>
  );
}

function factsOf(source: DescribedSource): readonly Fact[] {
  const { aliases, origin, revision, created_at, updated_at, change, retention_days } = source;
  return [
    ['Declared in', origin === 'file' ? 'a file (sources.yaml)' : 'the service'],
    ['Kept for', formatCount(retention_days, 'day')],
    ['Tenant', tenantOf(source)],
    ['Aliases', aliases.join(', ')],
    ['Revision', revision === null ? '' : String(revision)],
    ['Created', formatTimeOr(created_at, '')],
    ['Last change', change ? `${formatTimeOr(updated_at, '')} by ${formatAuthor(change.by)}` : ''],
    ['What changed', change ? change.changed.join(', ').replaceAll('_', ' ') : ''],
    ['Note', change?.message == null ? '' : <ValueText key="note" text={change.message} />],
  ];
}

function tenantOf({ tenant, tenant_optional }: DescribedSource): string {
  if (tenant === null) return 'none';
  return `in ${tenant}${tenant_optional ? ', may be missing' : ''}`;
}
