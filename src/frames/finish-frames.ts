/**
 * Completes frames of the backend: links of derived fields, counts per level, and names that older versions of Grafana
 * need.
 */
import type { DataFrame } from '@grafana/data';
import type { LevelSettings } from '#contract/plugin/levels';
import { withDerivedFields } from '../logs/derived-fields';
import { splitByLevel } from '../logs/levels';
import { VOLUME_REF_ID } from '../logs/supplementary';
import type { DerivedField, LogEndpointsQuery } from '../types';
import { namesLabelsAttributes, renameLabels } from './labels-for-old-hosts';

export interface FinishOptions {
  readonly hostVersion: string;
  readonly derivedFields: readonly DerivedField[];
  readonly levels?: LevelSettings;
  /** Name of a data source. */
  readonly nameOf: (uid: string) => string | undefined;
  /** Queries that the dashboard's ad-hoc filters do not affect. */
  readonly unfiltered: readonly LogEndpointsQuery[];
}

const NOT_FILTERED = {
  severity: 'warning',
  text: 'The ad-hoc filters of the dashboard do not apply here: they need SQL or LQL that reads a table.',
} as const;

export function createFrameFinisher({ hostVersion, derivedFields, levels, nameOf, unfiltered }: FinishOptions) {
  const isOldHost = namesLabelsAttributes(hostVersion);
  const untouched = new Set(unfiltered.map(({ refId }) => refId));
  return (given: DataFrame): DataFrame[] => {
    if (given.refId?.startsWith(VOLUME_REF_ID)) return splitByLevel(given, levels);
    const linked = derivedFields.length > 0 ? withDerivedFields(given, derivedFields, nameOf) : given;
    const frame = isOldHost ? renameLabels(linked) : linked;
    if (!untouched.has(given.refId ?? '')) return [frame];
    return [{ ...frame, meta: { ...frame.meta, notices: [...(frame.meta?.notices ?? []), NOT_FILTERED] } }];
  };
}
