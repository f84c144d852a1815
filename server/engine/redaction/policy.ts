/** Redaction policy: which kinds of data are redacted, and by which detectors. */
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

/** Detectors, in the order in which a store applies their patterns. */
export const DETECTORS: readonly Detector[] = [urlAndKey, namedSecret, token, email, ipv6, ipv4, cloudHost, card];

/** `null` disables redaction. */
export type RedactionPolicy = { readonly kinds: readonly RedactionKind[] } | null;

/** Policy of a run. The saved query chooses the kinds; the saved query or the request enables redaction. */
export function redactionPolicy(isAsked: boolean, kinds: readonly RedactionKind[]): RedactionPolicy {
  return isAsked ? { kinds: REDACTION_KINDS.filter((kind) => kinds.includes(kind)) } : null;
}

export function detectorsOf(kinds: readonly RedactionKind[]): readonly Detector[] {
  return DETECTORS.filter(({ kind }) => kinds.includes(kind));
}
