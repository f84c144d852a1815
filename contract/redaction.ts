/** What redaction knows: the kinds of personal data, in the order in which the text of two overlapping finds is named. */

export const REDACTION_KINDS = ['token', 'email', 'ip', 'card'] as const;
export type RedactionKind = (typeof REDACTION_KINDS)[number];
