import React, { useState } from 'react';
import { css } from '@emotion/css';
import { config } from '@grafana/runtime';
import { Button, Tooltip } from '@grafana/ui';
import type { EndpointSummary } from '#contract/plugin/resources';
import type { EditorDataSource } from '../editor-data-source';
import { useAnswer } from '../use-answer';
import type { LogEndpointsQuery } from '../../types';
import { SaveQueryModal } from './SaveQueryModal';

const LABEL = 'Save as saved query…';

/** Disabled buttons of older versions take the pointer without showing a tooltip. */
const UNTOUCHED = css({ pointerEvents: 'none' });

interface Props {
  readonly datasource: EditorDataSource;
  readonly query: LogEndpointsQuery;
  readonly endpoint: EndpointSummary | undefined;
  readonly text: string;
  readonly intervalMs: number | undefined;
  readonly onUse: (changed: Partial<LogEndpointsQuery>) => void;
}

/** Opens the form that saves the text; disabled with the reason where the user or the token may not. */
export function SaveQueryButton({ datasource, query, endpoint, text, intervalMs, onUse }: Props) {
  const [isOpen, setOpen] = useState(false);
  const isEditor = mayEdit();
  const access = useAnswer(isEditor ? () => datasource.saving.access() : undefined, datasource.uid);
  const whyNot = !isEditor
    ? 'Users with the role Editor or Admin save queries.'
    : !endpoint
      ? 'Choose an endpoint first.'
      : text.trim() === ''
        ? 'There is no text to save.'
        : (access.value?.whyNot ??
          access.failure?.message ??
          (access.isLoading ? 'Checking the access token…' : undefined));
  return (
    <>
      {whyNot === undefined ? (
        <Button size="sm" variant="secondary" icon="save" onClick={() => setOpen(true)}>
          {LABEL}
        </Button>
      ) : (
        <Tooltip content={whyNot}>
          <span tabIndex={0} aria-label={`${LABEL} ${whyNot}`} role="note">
            <Button size="sm" variant="secondary" icon="save" disabled className={UNTOUCHED}>
              {LABEL}
            </Button>
          </span>
        </Tooltip>
      )}
      {isOpen && endpoint && (
        <SaveQueryModal
          datasource={datasource}
          query={query}
          endpoint={endpoint}
          intervalMs={intervalMs}
          onUse={(changed) => {
            setOpen(false);
            onUse(changed);
          }}
          onDismiss={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Saves a request that would be refused; the backend decides. */
function mayEdit(): boolean {
  return ['Editor', 'Admin'].includes(config.bootData?.user?.orgRole ?? '');
}
