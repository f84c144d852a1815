import React, { useState } from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Badge, Button, InlineField, useStyles2 } from '@grafana/ui';
import type { EndpointSummary, ResourceError } from '#contract/plugin/resources';
import { endpointKey } from '../../api/find-endpoint';
import { hasVariable } from '../../query/interpolate';
import { explainLimit, rowLimit, spanText, type RowLimit } from '../../query/row-limit';
import type { LogEndpointsOptions, LogEndpointsQuery } from '../../types';
import { FlexRow } from '../compat/Flex';
import { Picker } from '../compat/Picker';

export const LABEL_WIDTH = 22;

interface Props {
  readonly query: LogEndpointsQuery;
  readonly endpoints: readonly EndpointSummary[] | undefined;
  /** Endpoint of the query, by the value that a variable has now. */
  readonly chosen: EndpointSummary | undefined;
  /** Dashboard variables, as `$name`. */
  readonly variables: readonly string[];
  readonly failure: ResourceError | undefined;
  readonly isLoading: boolean;
  readonly options: LogEndpointsOptions;
  readonly onPick: (endpoint: EndpointSummary) => void;
  readonly onVariable: (name: string) => void;
  readonly onRetry: () => void;
}

/** Picker of the endpoint, with its description. An endpoint that no longer exists is still shown by name. */
export function EndpointField(props: Props) {
  const { query, endpoints, chosen, variables, failure, isLoading, options, onPick, onVariable, onRetry } = props;
  const styles = useStyles2(getStyles);
  const id = `lqe-endpoint-${query.refId}`;
  const isVariable = hasVariable(query.endpoint ?? {});
  const stored = query.endpoint?.name ?? endpointKey(query);
  const isGone = endpoints !== undefined && stored !== undefined && !chosen;
  const [unknown, setUnknown] = useState<string>();
  return (
    <>
      <FlexRow align="center">
        <InlineField
          label="Endpoint"
          labelWidth={LABEL_WIDTH}
          htmlFor={id}
          invalid={isGone || unknown !== undefined}
          error={unknown && `There is no endpoint “${unknown}”.`}
        >
          <Picker
            id={id}
            options={[
              ...(endpoints ?? []).map(({ name, description }) => ({ value: name, label: name, description })),
              ...variables.map((name) => ({ value: name, label: name, description: 'The endpoint that it names' })),
            ]}
            value={isVariable ? stored : (chosen?.name ?? stored)}
            isLoading={isLoading}
            isInvalid={isGone}
            placeholder="Choose an endpoint"
            onUnknown={(text) => (hasVariable({ name: text }) ? onVariable(text) : setUnknown(text))}
            onChange={(name) => {
              setUnknown(undefined);
              const picked = endpoints?.find((each) => each.name === name);
              if (picked) onPick(picked);
              else if (hasVariable({ name })) onVariable(name);
            }}
          />
        </InlineField>
        {chosen && <Badges endpoint={chosen} limit={rowLimit(query, chosen, options)} />}
      </FlexRow>
      {chosen?.description && <p className={styles.description}>{chosen.description}</p>}
      {isGone && (
        <Alert
          severity="warning"
          title={isVariable ? `No endpoint has the name in ${stored}` : `The endpoint ${stored} is not there`}
        >
          {isVariable
            ? 'Choose a value of the variable that names an endpoint, or another endpoint here.'
            : 'It was deleted, or the access token may not see it. The query keeps its name until another is chosen.'}
        </Alert>
      )}
      {failure && (
        <Alert severity="error" title="The endpoints cannot be listed">
          <FlexRow align="center">
            {failure.message}
            {failure.requestId && ` Request id: ${failure.requestId}.`}
            <Button size="sm" variant="secondary" icon="sync" onClick={onRetry}>
              Try again
            </Button>
          </FlexRow>
        </Alert>
      )}
    </>
  );
}

function Badges({ endpoint, limit }: { readonly endpoint: EndpointSummary; readonly limit: RowLimit }) {
  const { cache_seconds: cacheSeconds, redact_pii: isRedacted } = endpoint;
  return (
    <>
      {cacheSeconds !== null && (
        <Badge
          color="blue"
          icon="clock-nine"
          text={`cached for ${spanText(cacheSeconds)}`}
          tooltip="Answers may be as old as that."
        />
      )}
      {isRedacted && (
        <Badge color="purple" icon="shield" text="redacted" tooltip="Personal data is hidden in every answer." />
      )}
      <Badge
        color="green"
        text={`at most ${limit.rows.toLocaleString('en-US')} ${limit.rows === 1 ? 'row' : 'rows'}`}
        tooltip={explainLimit(limit, endpoint)}
      />
    </>
  );
}

function getStyles(theme: GrafanaTheme2) {
  return {
    description: css({ color: theme.colors.text.secondary, margin: theme.spacing(0, 0, 1) }),
  };
}
