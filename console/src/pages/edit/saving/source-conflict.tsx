/** Two changes of one source, compared and merged as those of a saved query. */
import type { ReactNode } from 'react';
import type { DescribedSource } from '../../../api/sources';
import { newText, readText } from '../../../definition/definition-text';
import {
  definitionOf,
  flattenSource,
  type SourceDefinition,
  type SourceFields,
  unflattenSource,
} from '../../sources/edit-source/source-fields';
import { Conflict } from './conflict';

interface SourceConflictProps {
  readonly base: SourceDefinition;
  /** Mine. */
  readonly fields: SourceFields;
  readonly theirs: DescribedSource;
  readonly onMerged: (definition: SourceDefinition) => void;
  readonly onCancel: () => void;
}

export function SourceConflict({ base, fields, theirs, onMerged, onCancel }: SourceConflictProps): ReactNode {
  const { id = '', name, revision, change, updated_at } = theirs;
  const mine = { ...base, ...definitionOf(fields) };
  return (
    <Conflict
      base={textOf(base)}
      mine={textOf(mine)}
      theirs={{
        id,
        name,
        revision: revision ?? 0,
        action: 'update',
        time: updated_at ?? '',
        by: change?.by ?? { token_id: '', token_name: 'Another person' },
        message: change?.message ?? null,
        changed: [...(change?.changed ?? [])],
        yaml: textOf(theirs),
        definition: theirs,
      }}
      onCancel={onCancel}
      onMerged={(text) => onMerged(unflattenSource(name, readText(text).fields ?? {}))}
    />
  );
}

const textOf = (definition: SourceDefinition): string => newText(flattenSource(definition));
