import React, { useState } from 'react';
import { css } from '@emotion/css';
import { dateTimeFormat, type GrafanaTheme2 } from '@grafana/data';
import { Badge, Icon, LinkButton, useStyles2 } from '@grafana/ui';
import type { EndpointSummary } from '#contract/plugin/resources';
import type { EndpointCatalog } from '../../api/endpoint-catalog';
import type { SavingApi } from '../../api/saving-api';
import { useAnswer } from '../use-answer';
import { spanText } from '../../query/row-limit';
import { authorOf } from '../../saving/author';
import { exploreUrl } from '../../saving/links';
import { SavedQueryDetail } from './SavedQueryDetail';

interface Props {
  readonly uid: string;
  readonly endpoints: readonly EndpointSummary[];
  readonly catalog: EndpointCatalog;
  readonly saving: SavingApi;
}

const COLUMNS = ['Name', 'Managed in', 'Revision', 'Changed', 'By', 'Cache', 'Redacted', ''];

export function SavedQueryTable({ uid, endpoints, catalog, saving }: Props) {
  const styles = useStyles2(getStyles);
  const [opened, setOpened] = useState<string>();
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label="Saved queries">
        <thead>
          <tr>
            {COLUMNS.map((title) => (
              <th key={title} scope="col">
                {title || <span className={styles.hidden}>Links</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {endpoints.map((endpoint) => (
            <React.Fragment key={endpoint.id}>
              <Row
                uid={uid}
                endpoint={endpoint}
                saving={saving}
                isOpen={opened === endpoint.id}
                onToggle={() => setOpened(opened === endpoint.id ? undefined : endpoint.id)}
              />
              {opened === endpoint.id && (
                <tr>
                  <td colSpan={COLUMNS.length} className={styles.detail}>
                    <SavedQueryDetail endpoint={endpoint} catalog={catalog} saving={saving} />
                  </td>
                </tr>
              )}
            </React.Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly uid: string;
  readonly endpoint: EndpointSummary;
  readonly saving: SavingApi;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function Row({ uid, endpoint, saving, isOpen, onToggle }: RowProps) {
  const styles = useStyles2(getStyles);
  const { id, name, description, origin, revision, updated_at, cache_seconds, redact_pii, redact } = endpoint;
  const isManaged = origin === 'api';
  const history = useAnswer(isManaged ? () => saving.revisions(id, { limit: 1 }) : undefined, `${id} ${revision}`);
  const newest = history.value?.revisions[0];
  return (
    <tr>
      <td className={styles.name}>
        <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={onToggle}>
          <Icon name={isOpen ? 'angle-down' : 'angle-right'} /> {name}
        </button>
        {description && <div className={styles.secondary}>{description}</div>}
      </td>
      <td>{isManaged ? <Badge text="service" color="blue" /> : <Badge text="file" color="purple" />}</td>
      <td>{revision}</td>
      <td className={styles.nowrap}>{updated_at ? dateTimeFormat(updated_at) : '–'}</td>
      <td>{newest ? authorOf(newest) : history.isLoading ? '…' : '–'}</td>
      <td className={styles.nowrap}>{cache_seconds === null ? 'none' : spanText(cache_seconds)}</td>
      <td>{redact_pii ? redact.join(', ') : 'no'}</td>
      <td>
        <LinkButton size="sm" variant="secondary" icon="compass" href={exploreUrl(uid, endpoint)}>
          Edit in Explore
        </LinkButton>
      </td>
    </tr>
  );
}

function getStyles(theme: GrafanaTheme2) {
  const line = `1px solid ${theme.colors.border.weak}`;
  return {
    scroll: css({ overflowX: 'auto', margin: theme.spacing(2, 0) }),
    table: css({
      width: '100%',
      'th, td': { padding: theme.spacing(1), textAlign: 'left', verticalAlign: 'top', borderBottom: line },
      th: { color: theme.colors.text.secondary, fontWeight: theme.typography.fontWeightMedium, whiteSpace: 'nowrap' },
    }),
    name: css({ minWidth: 220 }),
    nowrap: css({ whiteSpace: 'nowrap' }),
    secondary: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize }),
    detail: css({ background: theme.colors.background.secondary }),
    toggle: css({
      padding: 0,
      border: 0,
      background: 'none',
      color: theme.colors.text.link,
      fontFamily: theme.typography.fontFamilyMonospace,
      textAlign: 'left',
      cursor: 'pointer',
    }),
    hidden: css({ position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' }),
  };
}
