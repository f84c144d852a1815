import React from 'react';
import { Alert } from '@grafana/ui';
import { mayHoldVariables } from '../../query/interpolate';
import type { LogEndpointsQuery } from '../../types';

/** Limitations of alert rules: variables are not replaced, and only numbers are compared. */
export function AlertHints({ query }: { readonly query: LogEndpointsQuery }) {
  const holdsVariables = mayHoldVariables({ ...query, ...withoutMacros(query) });
  return (
    <>
      {holdsVariables && (
        <Alert severity="warning" title="Alert rules have no dashboard variables">
          Write the values themselves. Time macros such as $__timeFilter are filled in.
        </Alert>
      )}
      {query.format === 'logs' && (
        <Alert severity="warning" title="Alert rules compare numbers">
          Log lines have none. Count them: choose an example such as “Events over time”, and the format Time series.
        </Alert>
      )}
    </>
  );
}

function withoutMacros({ params = {}, sql, lql, filters }: LogEndpointsQuery): Partial<LogEndpointsQuery> {
  const strip = (text: string) =>
    text.replace(/\$__\w+|\$\{__(?:from|to|interval|interval_ms|dollar|bracket)[^}]*\}/g, '');
  return {
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, strip(value)])),
    sql: sql && strip(sql),
    lql: lql && strip(lql),
    filters: filters?.map((each) => ({ ...each, value: strip(each.value) })),
  };
}
