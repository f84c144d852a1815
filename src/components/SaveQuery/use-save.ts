import { useState } from 'react';
import type { EndpointSummary, ResourceError } from '#contract/plugin/resources';
import type { ComposedParameter, ComposeResource } from '#contract/plugin/saving';
import type { SavedQuery } from '#contract/queries/saved-query';
import { resourceFailure } from '../../api/resource-failure';
import type { SavingApi } from '../../api/saving-api';

export interface Saved {
  readonly endpoint: SavedQuery;
  readonly parameters: readonly ComposedParameter[];
}

interface Change {
  /** Undefined: there is nothing to save yet. */
  readonly composed: ComposeResource | undefined;
  readonly note: string;
  /** The saved query that gets a new revision. */
  readonly existing: EndpointSummary | undefined;
  readonly onFailure: () => void;
}

interface Saving {
  readonly saved: Saved | undefined;
  readonly failure: ResourceError | undefined;
  readonly isSaving: boolean;
  readonly save: () => Promise<void>;
}

/** Saves the composed definition; a repeated request to create has the same request id. */
export function useSave(saving: SavingApi, { composed, note, existing, onFailure }: Change): Saving {
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<ResourceError>();
  const [saved, setSaved] = useState<Saved>();
  const [requestId] = useState(newRequestId);

  const save = async () => {
    if (!composed) return;
    const { definition, parameters } = composed;
    setSaving(true);
    setFailure(undefined);
    try {
      const change = { definition, note, ...(existing ? { revision: existing.revision } : { requestId }) };
      const result = await saving.save(existing?.id, change);
      setSaved({ endpoint: result.endpoint, parameters });
    } catch (thrown) {
      setFailure(resourceFailure(thrown));
      onFailure();
    } finally {
      setSaving(false);
    }
  };
  return { saved, failure, isSaving, save };
}

/** Grafana may be served without TLS, where browsers have no `randomUUID`. */
function newRequestId(): string {
  return `${Date.now()}-${Math.random()}`;
}
