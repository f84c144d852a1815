/** The access tokens: what each may do, and when it was used. */
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { keysOf } from '#contract/records';
import type { DescribedToken } from '../../api/shapes';
import { IgnoredPartsNote } from '../../app/ignored-parts-note';
import { NEW_TOKEN_PAGE, TOKENS, tokenLink, withState } from '../../app/links';
import { useSession } from '../../app/session';
import { useLoaded } from '../../app/use-loaded';
import { useSearch } from '../../app/use-search';
import { useTitle } from '../../app/use-title';
import { Failure } from '../../parts/failure';
import { type Column, ListTable } from '../../parts/list-table';
import { formatMoment, formatTimeOr } from '../../parts/format-change';
import { useFirstRows } from '../../parts/use-first-rows';
import { Waiting } from '../../parts/waiting';
import { formatCount } from '../../results/values/format-value';
import { readTokens } from './manage-tokens';
import { formatLimits } from './scopes';

const STATES = { active: 'active', expired: 'expired', revoked: 'revoked', all: 'all' } as const;

export function TokensPage(): ReactNode {
  const { api, may } = useSession();
  useTitle('Tokens');
  const [count, setCount] = useState(0);
  const mayManage = may('tokens:admin');
  const {
    value: tokens,
    problem,
    again,
  } = useLoaded(`tokens ${mayManage}`, async (signal) => (mayManage ? readTokens(api, signal, setCount) : []));
  return (
    <>
      <h1>Tokens</h1>
      <IgnoredPartsNote names={{ text: null, state: keysOf(STATES) }} />
      {!mayManage && <p>This token may not manage access tokens (scope tokens:admin).</p>}
      {problem && <Failure problem={problem} onRetry={again} />}
      {tokens === null && problem === null && (
        <Waiting what={`Loading the tokens${count > 0 ? `, ${count.toLocaleString()} so far` : ''}`} />
      )}
      {mayManage && tokens !== null && <TokenList tokens={tokens} />}
    </>
  );
}

function TokenList({ tokens }: { readonly tokens: readonly DescribedToken[] }): ReactNode {
  const [, goTo] = useLocation();
  const given = new URLSearchParams(useSearch());
  const text = given.get('text') ?? '';
  const state = given.get('state') ?? 'active';
  const set = (part: Readonly<Record<string, string>>): void =>
    goTo(withState(TOKENS, { text, state: state === 'active' ? '' : state, ...part }), { replace: true });
  const found = tokens.filter((token) => (state === 'all' || token.state === state) && matches(token, text));
  const { shown, more } = useFirstRows(found);
  return (
    <>
      <div className="tools">
        <label>
          Search <input type="search" value={text} onChange={({ target }) => set({ text: target.value })} />
        </label>
        <label>
          State{' '}
          <select
            value={state}
            onChange={({ target }) => set({ state: target.value === 'active' ? '' : target.value })}
          >
            {Object.keys(STATES).map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <span role="status">{formatCount(found.length, 'token')}</span>
        <Link className="button" href={NEW_TOKEN_PAGE}>
          New token
        </Link>
      </div>
      {found.length === 0 ? (
        <p className="empty">No token has this state and these words.</p>
      ) : (
        <ListTable label="Tokens" columns={COLUMNS} rows={shown} keyOf={({ id }) => id} />
      )}
      {more}
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<DescribedToken>> = [
  { head: 'Name', show: (token) => <Name token={token} /> },
  { head: 'May', show: ({ scopes }) => <Scopes scopes={scopes} /> },
  { head: 'Confined to', show: (token) => <Limits token={token} /> },
  {
    head: 'Valid until',
    hint: ({ expires_at }) => expires_at ?? '',
    show: ({ expires_at }) => formatTimeOr(expires_at, 'no end'),
  },
  {
    head: 'Last used',
    hint: ({ last_used_at }) => last_used_at ?? '',
    show: ({ last_used_at }) => formatTimeOr(last_used_at, 'never'),
  },
];

function Name({ token: { id, name, state, created_at } }: { readonly token: DescribedToken }): ReactNode {
  return (
    <>
      <Link href={tokenLink(id)}>{name}</Link> {state !== 'active' && <span className="mark warn">{state}</span>}
      <div className="soft">
        <code>{id}</code> since {formatMoment(created_at)}
      </div>
    </>
  );
}

function Scopes({ scopes }: Pick<DescribedToken, 'scopes'>): ReactNode {
  return (
    <div>
      {scopes.map((scope) => (
        <span key={scope}>
          <code>{scope}</code>{' '}
        </span>
      ))}
    </div>
  );
}

function Limits({ token }: { readonly token: DescribedToken }): ReactNode {
  const limits = formatLimits(token);
  if (limits.length === 0) return null;
  return (
    <div>
      {limits.map((limit) => (
        <div key={limit}>{limit}</div>
      ))}
    </div>
  );
}

function matches({ id, name, scopes, tenant }: DescribedToken, text: string): boolean {
  const said = `${id} ${name} ${scopes.join(' ')} ${tenant ?? ''}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}
