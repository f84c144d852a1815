import React from 'react';
import { FieldType, type DataFrame, type Field } from '@grafana/data';
import { Alert } from '@grafana/ui';

const SHOWN_ROWS = 8;
const SHOWN_LINES = 12;

/** Frames as plain tables, log lines as lines, with their notices. */
export function Frames({ frames }: { readonly frames: readonly DataFrame[] }) {
  return (
    <>
      {frames.map((frame, at) => (
        <div key={at} style={{ overflowX: 'auto' }}>
          {frame.meta?.notices?.map(({ severity, text }) => (
            <Alert key={text} severity={severity} title={text} />
          ))}
          {frame.meta?.preferredVisualisationType === 'logs' ? <Lines frame={frame} /> : <Table frame={frame} />}
        </div>
      ))}
    </>
  );
}

function Lines({ frame }: { readonly frame: DataFrame }) {
  const [time, body] = frame.fields;
  return (
    <ol aria-label="Log lines" style={{ listStyle: 'none', fontFamily: 'monospace', fontSize: 12, margin: '8px 0' }}>
      {Array.from({ length: Math.min(frame.length, SHOWN_LINES) }, (_, row) => (
        <li key={row} style={{ whiteSpace: 'nowrap', lineHeight: 1.7 }}>
          <time style={{ opacity: 0.6, marginRight: 16 }}>{textOf(time!, row)}</time>
          {textOf(body!, row)}
        </li>
      ))}
    </ol>
  );
}

function Table({ frame }: { readonly frame: DataFrame }) {
  return (
    <table style={{ width: '100%', tableLayout: 'auto', fontSize: 12 }}>
      <caption>{`${frame.length} rows`}</caption>
      <thead>
        <tr>
          {frame.fields.map((field, column) => (
            <th key={column} style={{ textAlign: 'left', padding: '2px 8px' }}>
              {field.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: Math.min(frame.length, SHOWN_ROWS) }, (_, row) => (
          <tr key={row}>
            {frame.fields.map((field, column) => (
              <td
                key={column}
                style={{
                  padding: '2px 8px',
                  whiteSpace: 'nowrap',
                  maxWidth: 260,
                  overflow: 'hidden',
                  textOverflow: 'ellipsis',
                }}
              >
                {textOf(field, row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function textOf({ type, values }: Field, row: number): string {
  const value: unknown = values[row];
  if (type === FieldType.time && typeof value === 'number') return new Date(value).toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
