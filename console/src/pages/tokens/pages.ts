/** Pages about access tokens and the audit trail: one part of the console, loaded together. */
export { AuditPage } from '../audit/audit-page';
export { NewTokenPage } from './new-token-page';
export { TokenPage } from './token-page';
export { TokensPage } from './tokens-page';
