/** Redaction settings for the compiler: those of the saved query, or all where the caller requires redaction. */
import type { SavedQuery } from '#contract/saved-query';
import type { SourceRedaction } from '../../compiler/source-redaction';
import { redactionPolicy } from '../../redaction/policy';
import { sourceRedaction } from '../../redaction/source-redaction';

export function redactionOf(definition: SavedQuery, isAsked: boolean): SourceRedaction | null {
  return sourceRedaction(redactionPolicy(definition.redact_pii || isAsked, definition.redact));
}
