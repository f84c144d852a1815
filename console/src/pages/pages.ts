/** The pages beside the first one. They are loaded together: each apart, they take a tenth more when compressed. */
export { AuditPage } from './audit/audit-page';
export { FirstSteps } from './first-run/first-steps';
export { SavedQueryPage } from './saved-query/saved-query-page';
export { EditSourcePage } from './sources/edit-source/edit-source-page';
export { NewSourcePage } from './sources/edit-source/new-source-page';
export { SourcePage } from './sources/one-source/source-page';
export { SourcesPage } from './sources/sources-page';
export { StatusPage } from './status/status-page';
export { NewTokenPage } from './tokens/new-token-page';
export { TokenPage } from './tokens/token-page';
export { TokensPage } from './tokens/tokens-page';
