/** What revisions are kept of. */
import type { ErrorCode } from '#contract/errors';

export interface RevisionKind {
  /** Name in messages. */
  readonly noun: 'saved query' | 'source';
  /** Folder in the data folder. */
  readonly folder: 'saved-queries' | 'sources';
  /** First part of the actions in the audit trail. */
  readonly audited: 'saved_query' | 'source';
  readonly notFound: ErrorCode;
}

export const SAVED_QUERY: RevisionKind = {
  noun: 'saved query',
  folder: 'saved-queries',
  audited: 'saved_query',
  notFound: 'endpoint_not_found',
};

export const SOURCE: RevisionKind = {
  noun: 'source',
  folder: 'sources',
  audited: 'source',
  notFound: 'source_not_found',
};
