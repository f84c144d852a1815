/** Which kinds a result is redacted of, and by what. */
import { REDACTION_KINDS, type RedactionKind } from '#contract/redaction';
import { card } from './detectors/card';
import { cloudHost } from './detectors/cloud-host';
import { email } from './detectors/email';
import { ipv4 } from './detectors/ipv4';
import { ipv6 } from './detectors/ipv6';
import { namedSecret } from './detectors/named-secret';
import { token } from './detectors/token';
import { urlAndKey } from './detectors/url-and-key';
import type { Detector } from './detector';

/** In the order in which a store applies their patterns; a new detector is one line here. */
export const DETECTORS: readonly Detector[] = [urlAndKey, namedSecret, token, email, ipv6, ipv4, cloudHost, card];

/** `null` hides nothing. */
export type RedactionPolicy = { readonly kinds: readonly RedactionKind[] } | null;

/** The policy of a run: the saved query says what is hidden, the saved query or the request whether. */
export function redactionPolicy(isAsked: boolean, kinds: readonly RedactionKind[]): RedactionPolicy {
  return isAsked ? { kinds: REDACTION_KINDS.filter((kind) => kinds.includes(kind)) } : null;
}

export function detectorsOf(kinds: readonly RedactionKind[]): readonly Detector[] {
  return DETECTORS.filter(({ kind }) => kinds.includes(kind));
}
