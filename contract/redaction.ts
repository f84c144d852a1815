/** Kinds of personal data. The order decides which kind names two overlapping finds. */

export const REDACTION_KINDS = ['token', 'email', 'ip', 'card'] as const;
export type RedactionKind = (typeof REDACTION_KINDS)[number];
