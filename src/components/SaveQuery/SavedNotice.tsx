import React from 'react';
import { OrgRole } from '@grafana/data';
import { config } from '@grafana/runtime';
import { Alert, Button, LinkButton, Modal } from '@grafana/ui';
import type { SavedQuery } from '#contract/queries/saved-query';
import { savedQueriesUrl } from '../../saving/links';

interface Props {
  readonly endpoint: SavedQuery;
  /** Uid of the data source. */
  readonly uid: string;
  readonly onUse: () => void;
  readonly onDismiss: () => void;
}

/** Name and revision of what was saved, and what can be done with it. */
export function SavedNotice({ endpoint, uid, onUse, onDismiss }: Props) {
  return (
    <>
      <Alert severity="success" title={`${endpoint.name} is saved as revision ${endpoint.revision}`}>
        “Use it in this panel” replaces the text by a call of the saved query, with the values of this panel.
      </Alert>
      <Modal.ButtonRow>
        {opensSettings() && (
          <LinkButton variant="secondary" icon="external-link-alt" target="_blank" href={savedQueriesUrl(uid)}>
            All saved queries
          </LinkButton>
        )}
        <Button variant="secondary" onClick={onDismiss}>
          Keep the text
        </Button>
        <Button onClick={onUse}>Use it in this panel</Button>
      </Modal.ButtonRow>
    </>
  );
}

/** Grafana opens the settings of data sources for Admins, unless its permissions are changed. */
function opensSettings(): boolean {
  return config.bootData?.user?.orgRole === OrgRole.Admin;
}
