import React from 'react';
import type { QueryEditorHelpProps } from '@grafana/data';
import { Button } from '@grafana/ui';
import { defaultBounds, SCHEMA_VERSION } from '../query/defaults';
import { exampleQueries } from '../query/examples';
import type { LogEndpointsQuery } from '../types';
import { FlexColumn } from './compat/Flex';

/** Table that every new service has; the editor itself shows examples for the endpoint's tables. */
const EDGE_LOGS = [{ name: 'edge_logs', columns: [] }];

/** Help of Explore and of panels. */
export function QueryHelp({ query, onClickExample }: QueryEditorHelpProps<LogEndpointsQuery>) {
  const common = { refId: query?.refId ?? 'A', datasource: query?.datasource, schemaVersion: SCHEMA_VERSION } as const;
  const project = query?.params?.project;
  const params = { ...(project ? { project } : {}), ...defaultBounds() };
  const endpoint = { name: 'logs.all' };
  return (
    <FlexColumn>
      <h2>Log Query Endpoints</h2>
      <p>
        <b>Saved</b> runs the query of an endpoint with your values for its parameters. <b>SQL</b> and <b>LQL</b> run a
        query of your own over the tables that the endpoint shows.
      </p>
      <h3>Macros</h3>
      <ul>
        <li>
          <code>$__timeFilter(timestamp)</code>: the time range of the panel; in LQL <code>$__timeFilter</code>
        </li>
        <li>
          <code>$__timeGroup(timestamp)</code>: buckets of the panel’s interval; in LQL{' '}
          <code>c:group_by($__timeGroup)</code>
        </li>
        <li>
          <code>{'${__from:date:iso}'}</code>, <code>{'${__to:date:iso}'}</code>: its ends, for parameters
        </li>
      </ul>
      <p>
        Variables are quoted where they stand: write <code>where project = $project</code> and{' '}
        <code>path in ($paths)</code>, without quotes of your own.
      </p>
      <h3>Examples</h3>
      <Button
        variant="secondary"
        size="sm"
        onClick={() => onClickExample({ ...common, endpoint, mode: 'saved', format: 'logs', params })}
      >
        Newest events of a project
      </Button>
      {(['sql', 'lql'] as const).flatMap((mode) =>
        exampleQueries(mode, EDGE_LOGS).map((example) => (
          <Button
            key={`${mode} ${example.title}`}
            variant="secondary"
            size="sm"
            onClick={() => onClickExample({ ...common, endpoint, params, ...example.query })}
          >
            {`${example.title} (${mode.toUpperCase()})`}
          </Button>
        ))
      )}
    </FlexColumn>
  );
}
