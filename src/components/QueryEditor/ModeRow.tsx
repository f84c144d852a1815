import React from 'react';
import { InlineField, RadioButtonGroup } from '@grafana/ui';
import type { QueryMode } from '#contract/plugin/query';
import type { EndpointResource } from '#contract/plugin/resources';
import { newestRows } from '../../builder/defaults';
import type { LogEndpointsQuery } from '../../types';
import { FlexRow } from '../compat/Flex';
import { printText } from '../QueryBuilder/BuilderField';
import { LABEL_WIDTH } from './EndpointField';
import { keptFilters } from './kept-filters';
import type { QueryChanges } from './use-query-changes';

const MODES: Array<{ value: QueryMode; label: string; description: string }> = [
  { value: 'saved', label: 'Saved', description: 'The query of the endpoint' },
  { value: 'sql', label: 'SQL', description: 'A query of your own, in the sandbox of the endpoint' },
  { value: 'lql', label: 'LQL', description: 'Filters and counts in one line' },
];

const EDITORS: Array<{ value: 'builder' | 'code'; label: string }> = [
  { value: 'builder', label: 'Builder' },
  { value: 'code', label: 'Code' },
];

interface Props {
  readonly mode: QueryMode;
  readonly isBuilder: boolean;
  readonly changes: QueryChanges;
  /** Description of the endpoint, if it has arrived. */
  readonly knownDetail: () => EndpointResource | undefined;
}

/** The saved query, or a text in its sandbox and how it is edited. */
export function ModeRow({ mode, isBuilder, changes: { latest, change, commit }, knownDetail }: Props) {
  return (
    <FlexRow>
      <InlineField label="Query" labelWidth={LABEL_WIDTH}>
        <RadioButtonGroup
          aria-label="Query"
          options={MODES}
          value={mode}
          onChange={(picked) => {
            const changed = { mode: picked, ...firstText(picked, latest(), knownDetail()) };
            commit({ ...changed, ...keptFilters(latest(), changed) });
          }}
        />
      </InlineField>
      {mode !== 'saved' && (
        <RadioButtonGroup
          aria-label="Editor"
          options={EDITORS}
          value={isBuilder ? 'builder' : 'code'}
          onChange={(editorMode: 'builder' | 'code') => change({ editorMode })}
        />
      )}
    </FlexRow>
  );
}

/** Initial text if there is no text yet and the tables are known. */
function firstText(mode: QueryMode, { sql, lql }: LogEndpointsQuery, detail: EndpointResource | undefined) {
  const [table] = detail?.tables ?? [];
  if (mode === 'saved' || !table || (mode === 'sql' ? sql : lql)?.trim()) return {};
  return { [mode]: printText(mode, newestRows(table, mode)), editorMode: 'builder' as const };
}
