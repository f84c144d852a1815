/** Redaction settings for the compiler: on when the saved query or the caller requires redaction. */
import type { SavedQuery } from '#contract/queries/saved-query';
import type { SourceRedaction } from '#compiler';
import { redactionPolicy } from '../../../redaction/policy';
import { sourceRedaction } from '../../../redaction/source-redaction';

export function redactionOf(definition: SavedQuery, isAsked: boolean): SourceRedaction | null {
  return sourceRedaction(redactionPolicy(definition.redact_pii || isAsked, definition.redact));
}
