/** A first saved query over a source: its newest events, with their tenant and time range as parameters. */
import type { ListedSource } from '../api/shapes';
import { newText } from './definition-text';

/** Columns of every source, in the order of a person's interest. */
const COMMON = ['id', 'timestamp', 'event_message', 'metadata'];

/** @returns the text of a definition */
export function newestEvents({ name, tenant, columns }: Pick<ListedSource, 'name' | 'tenant' | 'columns'>): string {
  const own = columns.map((column) => column.name).filter((each) => !COMMON.includes(each) && each !== tenant);
  const shown = [...COMMON, ...own].map(quoted);
  const tenantName = tenant?.split('.').at(-1) ?? null;
  const filters = [
    ...(tenant === null || tenantName === null ? [] : [`t.${pathOf(tenant)} = @${parameterOf(tenantName)}`]),
    bound('>', 'iso_timestamp_start'),
    bound('<=', 'iso_timestamp_end'),
  ];
  const query = [
    'WITH events AS (',
    `  SELECT ${shown.map((column) => `t.${column}`).join(', ')}`,
    `  FROM ${quoted(name)} AS t`,
    `  WHERE ${filters.join('\n    AND ')}`,
    '  ORDER BY t.timestamp DESC',
    ')',
    `SELECT ${shown.map((column) => `e.${column}`).join(', ')}`,
    'FROM events AS e',
    'ORDER BY e.timestamp DESC, e.id DESC',
    'LIMIT 100',
    '',
  ].join('\n');
  return newText({
    name: `${name}.newest`,
    description: `Newest events of ${name}.`,
    query,
    parameters: [
      ...(tenantName === null ? [] : [tenantParameter(tenantName)]),
      { name: 'iso_timestamp_start', format: 'iso8601', description: 'Only events after this time.' },
      { name: 'iso_timestamp_end', format: 'iso8601', description: 'Only events up to this time.' },
    ],
    sandbox: true,
  });
}

function bound(operator: string, parameter: string): string {
  return `CASE WHEN COALESCE(@${parameter}, '') = '' THEN TRUE ELSE t.timestamp ${operator} @${parameter} END`;
}

/** A field of the metadata is read through its records, of which each is a list of one. */
function pathOf(tenant: string): string {
  const [first = '', ...path] = tenant.split('.').map(quoted);
  return path.length === 0
    ? first
    : `${[first, ...path.slice(0, -1)].map((part) => `${part}[0]`).join('.')}.${path.at(-1)}`;
}

const quoted = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``;

const tenantParameter = (name: string): object => ({
  name: parameterOf(name),
  required: true,
  tenant: true,
  description: 'Only events of this tenant.',
});

const parameterOf = (name: string): string => (/^[A-Za-z_]\w{0,63}$/.test(name) ? name : 'tenant');
