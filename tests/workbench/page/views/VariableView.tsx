import React, { useEffect, useState } from 'react';
import type { CustomVariableSupport, DataSourceApi } from '@grafana/data';
import { Alert } from '@grafana/ui';
import { deepFreeze } from '../host/deep-freeze';
import type { Option } from '../host/metric-find-values';
import { requestOf } from '../host/run-request';
import { optionsOf } from '../host/variable-options';

const RANGE = requestOf({ refId: 'A' }).range;

interface Props {
  readonly datasource: DataSourceApi;
  /** An empty text until it is changed, as in a new variable. */
  readonly query: object | '';
}

interface Outcome {
  readonly options: readonly Option[];
  readonly problem?: string;
}

/** Grafana's page of one query variable: the options are asked for after every change. */
export function VariableView({ datasource, query: first }: Props) {
  const [query, setQuery] = useState(() => deepFreeze(first));
  const [{ options, problem }, setOutcome] = useState<Outcome>({ options: [] });
  const support = datasource.variables as CustomVariableSupport<never>;
  const Editor = support.editor;
  useEffect(() => {
    // The host asks for nothing while there is nothing.
    if (!query) return;
    let isLatest = true;
    void optionsOf(datasource, query).then(
      (options) => isLatest && setOutcome({ options }),
      (thrown: Error) => isLatest && setOutcome({ options: [], problem: thrown.message })
    );
    // VariableQueryRunner.ts of the host ends a request when the next one for the same variable begins.
    return () => {
      isLatest = false;
    };
  }, [datasource, query]);
  const shown = query || (support.getDefaultQuery?.() ?? '');
  return (
    <>
      <Editor
        datasource={datasource as never}
        query={deepFreeze(shown)}
        range={RANGE}
        data={{ series: [], state: 'Done', timeRange: RANGE } as never}
        history={[]}
        onBlur={() => undefined}
        onChange={(next: object) => setQuery(deepFreeze(next))}
        onRunQuery={() => undefined}
      />
      {problem && <Alert severity="error" title={problem} />}
      <ul aria-label="Preview of values">
        {options.map(({ value, text }) => (
          <li key={value}>{text}</li>
        ))}
      </ul>
    </>
  );
}
