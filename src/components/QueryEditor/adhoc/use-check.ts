import { useEffect, useState } from 'react';
import type { TimeRange } from '@grafana/data';
import type { ValidateResource } from '#contract/plugin/resources';
import { endpointKey } from '../../../api/find-endpoint';
import type { EditorDataSource } from '../../editor-data-source';
import type { LogEndpointsQuery } from '../../../types';

const WAIT_MS = 400;

/** Checks the ad-hoc text after a pause in typing. An unreachable service gives no result. */
export function useCheck(
  datasource: EditorDataSource,
  query: LogEndpointsQuery,
  range: TimeRange | undefined,
  intervalMs: number | undefined
): ValidateResource | undefined {
  const { mode } = query;
  const endpoint = endpointKey(datasource.withEndpoint(query));
  const text = mode === 'sql' ? query.sql : mode === 'lql' ? query.lql : undefined;
  const [checked, setChecked] = useState<{ readonly of: string; readonly answer: ValidateResource }>();
  const key = JSON.stringify([endpoint, mode, text, query.params, intervalMs]);
  useEffect(() => {
    if (!endpoint || !text?.trim() || (mode !== 'sql' && mode !== 'lql')) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      const filled = datasource.applyTemplateVariables(query, {});
      datasource.catalog
        .validate({
          endpoint,
          mode,
          text: (mode === 'sql' ? filled.sql : filled.lql) ?? '',
          params: filled.params,
          ...(range ? { range: { from: range.from.valueOf(), to: range.to.valueOf() } } : {}),
          ...(intervalMs ? { intervalMs } : {}),
        })
        .then(
          (answer) => isCurrent && setChecked({ of: key, answer }),
          () => undefined
        );
    }, WAIT_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
    // The key holds what the check depends on; the range moves with every refresh and changes no answer.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [datasource, key]);
  return checked?.of === key ? checked.answer : undefined;
}
