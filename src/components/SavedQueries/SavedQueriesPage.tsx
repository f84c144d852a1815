import React, { useMemo, useState } from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { getDataSourceSrv } from '@grafana/runtime';
import { Alert, Button, FilterInput, LoadingPlaceholder, Pagination, useStyles2 } from '@grafana/ui';
import type { EndpointSummary } from '#contract/plugin/resources';
import type { EndpointCatalog } from '../../api/endpoint-catalog';
import { catalogOf } from '../../api/resource-calls';
import { SavingApi } from '../../api/saving-api';
import { type Answer, useAnswer } from '../use-answer';
import { formatProblem } from '../../language/problems/format-problem';
import { uidOfSettings } from '../../saving/links';
import { FlexRow } from '../compat/Flex';
import { SavedQueryTable } from './SavedQueryTable';

const PAGE_SIZE = 15;

/** Tab of the data source's settings. Grafana passes no data source to such a page, but its address names it. */
export function SavedQueriesPage() {
  const uid = uidOfSettings(window.location.pathname);
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only API available in all supported versions
  const known = uid !== undefined && getDataSourceSrv().getInstanceSettings(uid) !== undefined;
  if (uid === undefined || !known)
    return (
      <Alert severity="info" title="Save the data source first">
        The saved queries are read with its URL and its access token.
      </Alert>
    );
  return <SavedQueries key={uid} uid={uid} />;
}

interface Props {
  readonly uid: string;
}

export function SavedQueries({ uid }: Props) {
  const styles = useStyles2(getStyles);
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [round, setRound] = useState(0);
  const catalog = useMemo(() => catalogOf(uid), [uid]);
  const saving = useMemo(() => new SavingApi(uid, () => catalog.forget()), [uid, catalog]);
  const list = useAnswer(() => reloaded(catalog), `${uid} ${round}`);
  const found = useMemo(() => matching(list.value ?? [], search), [list.value, search]);
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const current = Math.min(page, pages);
  return (
    <div>
      <p className={styles.lead}>
        What this data source can call, as its access token sees it. Save a query of your own in the editor of a panel
        or in Explore: choose SQL or LQL, then “Save as saved query…”.
      </p>
      <FlexRow align="center">
        <div className={styles.search}>
          <FilterInput
            placeholder="Search names and descriptions"
            value={search}
            onChange={(text) => {
              setSearch(text);
              setPage(1);
            }}
          />
        </div>
        <Button variant="secondary" icon="sync" disabled={list.isLoading} onClick={() => setRound(round + 1)}>
          Refresh
        </Button>
        {list.value && (
          <span role="status" className={styles.count}>
            {countText(found.length, list.value.length)}
          </span>
        )}
      </FlexRow>
      <ListState {...list} />
      {found.length > 0 && (
        <SavedQueryTable
          // A refresh reads the histories again.
          key={round}
          uid={uid}
          endpoints={found.slice((current - 1) * PAGE_SIZE, current * PAGE_SIZE)}
          catalog={catalog}
          saving={saving}
        />
      )}
      {pages > 1 && <Pagination currentPage={current} numberOfPages={pages} onNavigate={setPage} />}
    </div>
  );
}

/** Says why there is no list: it is being read, cannot be read, or is empty. */
function ListState({ value, failure, isLoading }: Answer<readonly EndpointSummary[]>) {
  return (
    <>
      {isLoading && <LoadingPlaceholder text="Reading the saved queries…" />}
      {failure && (
        <Alert severity="error" title="The saved queries cannot be listed">
          {formatProblem(failure)}
        </Alert>
      )}
      {value?.length === 0 && (
        <Alert severity="info" title="There are no saved queries">
          The access token sees none. Save one in the editor, or give the token more endpoints.
        </Alert>
      )}
    </>
  );
}

function reloaded(catalog: EndpointCatalog): Promise<readonly EndpointSummary[]> {
  catalog.forget();
  return catalog.endpoints();
}

function matching(endpoints: readonly EndpointSummary[], search: string): readonly EndpointSummary[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return endpoints.filter(({ name, description }) => {
    const text = `${name} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function countText(found: number, all: number): string {
  const noun = all === 1 ? 'saved query' : 'saved queries';
  return found === all ? `${all} ${noun}` : `${found} of ${all} ${noun}`;
}

function getStyles(theme: GrafanaTheme2) {
  return {
    lead: css({ color: theme.colors.text.secondary, maxWidth: 800 }),
    search: css({ width: 320 }),
    count: css({ color: theme.colors.text.secondary }),
  };
}
