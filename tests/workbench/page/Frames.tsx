import React from 'react';
import { FieldType, type DataFrame, type Field } from '@grafana/data';
import { Alert } from '@grafana/ui';

const SHOWN_ROWS = 8;

/** Frames as plain tables, with their notices. */
export function Frames({ frames }: { readonly frames: readonly DataFrame[] }) {
  return (
    <>
      {frames.map((frame, at) => (
        <div key={at} style={{ overflowX: 'auto' }}>
          {frame.meta?.notices?.map(({ severity, text }) => (
            <Alert key={text} severity={severity} title={text} />
          ))}
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
        </div>
      ))}
    </>
  );
}

function textOf({ type, values }: Field, row: number): string {
  const value: unknown = values[row];
  if (type === FieldType.time && typeof value === 'number') return new Date(value).toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
