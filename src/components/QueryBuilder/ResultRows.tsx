/** Editor of the result: columns of rows, or keys and aggregates of groups. */
import React from 'react';
import { Button, InlineField } from '@grafana/ui';
import { aggregatesOf, fieldsOf, labelOf, type BuilderField, type BuilderLanguage } from '../../builder/fields';
import { groupFields, timeColumnOf } from '../../builder/defaults';
import {
  AGGREGATES,
  PERIOD,
  samePath,
  type AggregateName,
  type BuilderColumn,
  type BuilderModel,
  type FieldPath,
} from '../../builder/model';
import type { DescribedTable } from '#contract/queries/description';
import { FlexRow } from '../compat/Flex';
import { Picker } from '../compat/Picker';
import { LABEL_WIDTH } from '../QueryEditor/EndpointField';
import { FieldPicker } from './FieldPicker';

export interface PartProps {
  readonly id: string;
  readonly language: BuilderLanguage;
  readonly table: DescribedTable;
  readonly model: BuilderModel;
  readonly onChange: (changed: Partial<BuilderModel>) => void;
}

export function ColumnsRow({ id, table, model, onChange }: PartProps) {
  return (
    <InlineField label="Columns" labelWidth={LABEL_WIDTH} tooltip="None: all columns of the table.">
      <PathList
        id={`${id}-column`}
        what="column"
        fields={fieldsOf(table.columns)}
        items={model.columns}
        onChange={(columns) => onChange({ columns })}
      />
    </InlineField>
  );
}

const NO_BUCKET = 'none';
const PANEL_BUCKET = 'auto';
const BUCKETS = ['10s', '1m', '5m', '15m', '1h', '6h', '1d'];

export function GroupRows({ id, language, table, model, onChange }: PartProps) {
  const time = timeColumnOf(table);
  const { bucket, groups } = model;
  const fields = groupFields(table, language);
  return (
    <>
      {time !== undefined && (
        <InlineField label="Time buckets" labelWidth={LABEL_WIDTH} htmlFor={`${id}-bucket`}>
          <Picker
            id={`${id}-bucket`}
            width={30}
            takesOwnText
            options={[
              { value: PANEL_BUCKET, label: 'Interval of the panel' },
              ...BUCKETS.map((each) => ({ value: each, label: each })),
              // LQL charts always have buckets.
              ...(language === 'sql' ? [{ value: NO_BUCKET, label: 'None' }] : []),
            ]}
            value={bucket ? (bucket.period ?? PANEL_BUCKET) : NO_BUCKET}
            onChange={(picked) => {
              if (picked === NO_BUCKET) onChange({ bucket: null });
              else if (picked === PANEL_BUCKET || PERIOD.test(picked))
                onChange({
                  bucket: {
                    ...bucket,
                    column: bucket?.column ?? time,
                    period: picked === PANEL_BUCKET ? null : picked,
                  },
                });
            }}
          />
        </InlineField>
      )}
      <InlineField label="Group by" labelWidth={LABEL_WIDTH}>
        <PathList
          id={`${id}-group`}
          what="group"
          fields={fields}
          items={groups}
          max={language === 'lql' ? 2 : undefined}
          onChange={(next) => onChange({ groups: next })}
        />
      </InlineField>
      <InlineField label="Aggregates" labelWidth={LABEL_WIDTH}>
        <AggregateList id={id} fields={fieldsOf(table.columns)} model={model} onChange={onChange} />
      </InlineField>
    </>
  );
}

interface PathListProps {
  readonly id: string;
  readonly what: 'column' | 'group';
  readonly fields: readonly BuilderField[];
  readonly items: readonly BuilderColumn[];
  readonly max?: number;
  readonly onChange: (items: readonly BuilderColumn[]) => void;
}

/** Selected fields as buttons that remove them, and a picker that adds one. */
function PathList({ id, what, fields, items, max = Infinity, onChange }: PathListProps) {
  const isFree = ({ path }: BuilderField) => !items.some((each) => samePath(each.path, path));
  return (
    <FlexRow align="center">
      {items.map(({ path, alias }) => {
        const text = `${labelOf(path)}${alias === undefined ? '' : ` as ${alias}`}`;
        return (
          <Button
            key={text}
            size="sm"
            variant="secondary"
            icon="times"
            aria-label={`Remove the ${what} ${text}`}
            onClick={() => onChange(items.filter((each) => each.path !== path || each.alias !== alias))}
          >
            {text}
          </Button>
        );
      })}
      {items.length < max && (
        <FieldPicker
          // A new key after each addition resets the control.
          key={items.length}
          id={id}
          label={`Add a ${what}`}
          placeholder={`Add a ${what}`}
          fields={fields.filter(isFree)}
          value={undefined}
          onChange={({ path }) => onChange([...items, { path }])}
        />
      )}
    </FlexRow>
  );
}

const NAMES: Readonly<Record<AggregateName, string>> = {
  count: 'Count',
  countd: 'Distinct values',
  sum: 'Sum',
  avg: 'Average',
  min: 'Minimum',
  max: 'Maximum',
  p50: '50th percentile',
  p90: '90th percentile',
  p95: '95th percentile',
  p99: '99th percentile',
};

interface AggregateListProps {
  readonly id: string;
  readonly fields: readonly BuilderField[];
  readonly model: BuilderModel;
  readonly onChange: (changed: Partial<BuilderModel>) => void;
}

function AggregateList({ id, fields, model: { aggregates }, onChange }: AggregateListProps) {
  const change = (at: number, changed: { readonly name: AggregateName; readonly path: FieldPath | null }) =>
    onChange({ aggregates: aggregates.map((each, place) => (place === at ? changed : each)) });
  return (
    <FlexRow align="center">
      {aggregates.map(({ name, path, alias }, at) => {
        const fitting = fields.filter((field) => aggregatesOf(field).includes(name));
        return (
          <FlexRow key={`${at} ${name}`} align="center">
            <Picker
              id={`${id}-aggregate-${at}`}
              aria-label={`Aggregate ${at + 1}`}
              width={20}
              options={AGGREGATES.map((each) => ({ value: each, label: NAMES[each] }))}
              value={name}
              onChange={(picked) => change(at, { name: picked, path: pathFor(picked, path, fields) })}
            />
            {(name !== 'count' || path !== null) && (
              <FieldPicker
                id={`${id}-aggregate-${at}-field`}
                label={`Field of aggregate ${at + 1}`}
                fields={fitting}
                value={path ?? undefined}
                onChange={(field) => change(at, { name, path: field.path })}
              />
            )}
            {alias !== undefined && <span>as {alias}</span>}
            <Button
              variant="secondary"
              fill="text"
              icon="times"
              aria-label={`Remove aggregate ${at + 1}`}
              onClick={() => onChange({ aggregates: aggregates.filter((_, place) => place !== at) })}
            />
          </FlexRow>
        );
      })}
      <Button
        size="sm"
        variant="secondary"
        icon="plus"
        onClick={() => onChange({ aggregates: [...aggregates, { name: 'count', path: null }] })}
      >
        Add aggregate
      </Button>
    </FlexRow>
  );
}

/** Keeps the field if the aggregate supports it; otherwise chooses the first that does. */
function pathFor(name: AggregateName, path: FieldPath | null, fields: readonly BuilderField[]): FieldPath | null {
  if (name === 'count') return null;
  const fitting = fields.filter((field) => aggregatesOf(field).includes(name));
  const kept = path && fitting.find((field) => samePath(field.path, path));
  return (kept ?? fitting[0])?.path ?? null;
}
