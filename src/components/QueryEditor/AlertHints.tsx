import React from 'react';
import { Alert } from '@grafana/ui';
import { VARIABLE, variableTexts } from '../../query/interpolate';
import type { LogEndpointsQuery } from '../../types';

/**
 * Limitations of alert rules: variables are not replaced, only numbers are compared, and no panel sets the interval.
 */
export function AlertHints({ query }: { readonly query: LogEndpointsQuery }) {
  const holdsVariables = variableTexts({ ...query, ...withoutMacros(query) }).some(
    (text) => text.search(VARIABLE) !== -1
  );
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
      {query.mode !== 'saved' && takesInterval(query[query.mode ?? 'sql'] ?? '') && (
        <Alert severity="warning" title="The rule decides how wide the buckets are">
          They are as wide as the interval in the options of the query, one second in a new rule. Write the width:{' '}
          {query.mode === 'lql' ? '$__timeGroup(5m)' : '$__timeGroup(timestamp, 5m)'}.
        </Alert>
      )}
    </>
  );
}

/** Whether the text has buckets without a width of their own. */
function takesInterval(text: string): boolean {
  const groups = text.matchAll(/\$__timeGroup\b(?:\s*\(((?:[^()]|\([^()]*\))*)\))?/g);
  return /\$(?:__|\{__)interval(?:_ms)?\b/.test(text) || [...groups].some(([, given = '']) => !WIDTH.test(given));
}

/** A period as an argument of its own. */
const WIDTH = /(?:^|,)\s*['"]?\d+[smhd]\b/;

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
