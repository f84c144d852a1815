/** Who changed what: saved queries, sources and tokens, newest first. */
import { type FormEvent, type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { recordOf } from '#contract/records';
import type { ApiClient } from '../../api/client';
import type { AuditEntry, Author, Page } from '../../api/shapes';
import { IgnoredPartsNote } from '../../app/ignored-parts-note';
import { auditLink, historyLink, sourceHistoryLink, tokenLink } from '../../app/links';
import { useSession } from '../../app/session';
import { useLoaded } from '../../app/use-loaded';
import { usePages } from '../../app/use-pages';
import { useSearch } from '../../app/use-search';
import { useTitle } from '../../app/use-title';
import { Failure } from '../../parts/failure';
import { localToApi } from '../../parts/local-time';
import { formatAuthor, formatMoment } from '../../parts/format-change';
import { Waiting } from '../../parts/waiting';
import { ValueText } from '../../results/values/value-text';
import { AUDIT_ACTIONS, formatAction, formatDetails } from './format-entry';

/** Filters of the API, as they are in the address. */
const FILTERS = ['object', 'action', 'since', 'until'] as const;
type Filters = Readonly<Record<(typeof FILTERS)[number], string>>;

export function AuditPage(): ReactNode {
  const { may } = useSession();
  useTitle('Audit trail');
  const search = new URLSearchParams(useSearch());
  const filters = Object.fromEntries(FILTERS.map((name) => [name, search.get(name) ?? ''])) as Filters;
  const key = JSON.stringify(filters);
  const [readings, setReadings] = useState(0);
  return (
    <>
      <h1>Audit trail</h1>
      <IgnoredPartsNote names={recordOf(FILTERS, null)} />
      {may('tokens:admin') ? (
        <>
          <FilterForm filters={filters} onShow={() => setReadings(readings + 1)} />
          <Trail key={`${readings} ${key}`} filters={filters} />
        </>
      ) : (
        <p>This token may not read the audit trail (scope tokens:admin).</p>
      )}
    </>
  );
}

interface FilterFormProps {
  readonly filters: Filters;
  readonly onShow: () => void;
}

function FilterForm({ filters, onShow }: FilterFormProps): ReactNode {
  const [, goTo] = useLocation();
  const [entered, setEntered] = useState(filters);
  const [shown, setShown] = useState(filters);
  // After going back, the fields have what is shown. The form stays, and so does the keyboard's focus.
  if (JSON.stringify(shown) !== JSON.stringify(filters)) {
    setShown(filters);
    setEntered(filters);
  }
  const field = (name: keyof Filters) => ({
    value: entered[name],
    spellCheck: false,
    onChange: ({ target }: { target: { value: string } }) => setEntered({ ...entered, [name]: target.value }),
  });
  return (
    <form
      className="tools"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        goTo(auditLink(Object.fromEntries(Object.entries(entered).map(([name, value]) => [name, value.trim()]))));
        onShow();
      }}
    >
      <label>
        Saved query, source or token <input placeholder="name or id" {...field('object')} />
      </label>
      <label>
        What happened{' '}
        <select {...field('action')}>
          <option value="">anything</option>
          {AUDIT_ACTIONS.map((action) => (
            <option key={action} value={action}>
              {formatAction(action)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Since <input size={12} placeholder="2026-03-01" {...field('since')} />
      </label>
      <label>
        Until <input size={12} placeholder="2026-03-31" {...field('until')} />
      </label>
      <span className="soft">your zone</span>
      <button type="submit">Show</button>
    </form>
  );
}

/** A page with a filter may be empty although others follow: this many are read before "Older entries" is offered. */
const PAGES_AT_ONCE = 10;

async function readEntries(
  api: ApiClient,
  filters: Filters,
  start: string | null,
  signal?: AbortSignal
): Promise<Page<AuditEntry>> {
  const entries: AuditEntry[] = [];
  let cursor = start;
  for (let page = 0; page < PAGES_AT_ONCE && entries.length < 100; page++) {
    const times = { since: localToApi(filters.since, 'since'), until: localToApi(filters.until, 'until') };
    const given = Object.entries({ ...filters, ...times, cursor: cursor ?? '' }).filter(([, value]) => value !== '');
    const path = `/api/audit?limit=100&${new URLSearchParams(given).toString()}`;
    const answer = (await api.json(path, signal && { signal })) as Page<AuditEntry>;
    entries.push(...answer.result);
    cursor = answer.next_cursor;
    if (cursor === null) break;
  }
  return { result: entries, next_cursor: cursor };
}

function Trail({ filters }: { readonly filters: Filters }): ReactNode {
  const { api } = useSession();
  const { value: first, problem, again } = useLoaded('audit', (signal) => readEntries(api, filters, null, signal));
  if (problem) return <Failure problem={problem} onRetry={again} />;
  if (first === null) return <Waiting what="Loading the audit trail" />;
  return <Entries filters={filters} first={first} />;
}

function Entries({ filters, first }: { readonly filters: Filters; readonly first: Page<AuditEntry> }): ReactNode {
  const { api } = useSession();
  const { all, hasMore, isLoading, problem, more } = usePages(first, (cursor) => readEntries(api, filters, cursor));

  return (
    <>
      {all.length === 0 && !hasMore && <p className="empty">Nothing of this kind has happened.</p>}
      <ol className="trail" aria-label="Entries">
        {all.map((entry, at) => (
          <Entry key={at} entry={entry} />
        ))}
      </ol>
      {problem && <Failure problem={problem} />}
      {hasMore && (
        <button type="button" disabled={isLoading} onClick={() => void more()}>
          {isLoading ? 'Loading …' : 'Older entries'}
        </button>
      )}
    </>
  );
}

function Entry({ entry }: { readonly entry: AuditEntry }): ReactNode {
  const { time, action, by, object, revision, message, request_id } = entry;
  const details = formatDetails(entry);
  return (
    <li>
      <time title={time}>{formatMoment(time)}</time>
      <div>
        <p>
          <AuthorName by={by} /> {formatAction(action)} <Link href={pageOf(entry)}>{object.name}</Link>
          {details.length > 0 && `: ${details.join('; ')}`}
        </p>
        {message !== null && (
          <p className="message">
            “<ValueText text={message} />”
          </p>
        )}
        <p className="soft">
          {revision !== null && <span>revision {revision}</span>}
          {revision !== null && request_id !== null && ', '}
          {request_id !== null && <span title="The log of the service has this id">request {request_id}</span>}
        </p>
      </div>
    </li>
  );
}

function pageOf({ action, object, revision }: AuditEntry): string {
  if (action.startsWith('token.')) return tokenLink(object.id);
  const state = { revision: revision === null ? '' : String(revision) };
  return action.startsWith('source.') ? sourceHistoryLink(object.name, state) : historyLink(object.id, state);
}

/** The token of the process itself has no page. */
function AuthorName({ by }: { readonly by: Author }): ReactNode {
  const hasPage = 'token_id' in by && /^[0-9A-Za-z]{8}$/.test(by.token_id);
  return hasPage ? <Link href={tokenLink(by.token_id)}>{by.token_name}</Link> : formatAuthor(by);
}
