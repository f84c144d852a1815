import React from 'react';
import { Button, InlineField, InlineSwitch, RadioButtonGroup } from '@grafana/ui';
import type { DescribedTable } from '#contract/queries/description';
import { counts, filterFields, filterOn, onTable, rows, timeColumnOf } from '../../builder/defaults';
import { fieldsOf, labelOf, type BuilderLanguage } from '../../builder/fields';
import { isGrouped, type BuilderFilter, type BuilderModel, type BuilderOrder } from '../../builder/model';
import { outputsOf } from '../../builder/outputs';
import { recordsOf } from '../../builder/sql/print-sql';
import { FlexColumn, FlexRow } from '../compat/Flex';
import { Picker } from '../compat/Picker';
import { LABEL_WIDTH } from '../QueryEditor/EndpointField';
import { CommitInput } from './CommitInput';
import { FilterRow } from './FilterRow';
import { ColumnsRow, GroupRows } from './ResultRows';

interface Props {
  readonly refId: string;
  readonly language: BuilderLanguage;
  readonly tables: readonly DescribedTable[];
  readonly model: BuilderModel;
  readonly onChange: (model: BuilderModel) => void;
}

const RESULTS = [
  { value: 'rows', label: 'Rows', description: 'Events as they are' },
  { value: 'groups', label: 'Counts', description: 'Groups of events, and what is counted or measured of each' },
] as const;

/** Form for a query over one table. */
export function QueryBuilder({ refId, language, tables, model, onChange }: Props) {
  const id = `lqe-builder-${refId}`;
  const table = tables.find(({ name }) => name === model.table) ?? tables[0]!;
  const time = timeColumnOf(table);
  const change = (changed: Partial<BuilderModel>) => onChange({ ...model, ...changed });
  const part = { id, language, table, model, onChange: change };
  return (
    <div>
      <FlexRow>
        <InlineField label="Table" labelWidth={LABEL_WIDTH} htmlFor={`${id}-table`}>
          <Picker
            id={`${id}-table`}
            width={30}
            options={tables.map(({ name }) => ({ value: name, label: name }))}
            value={model.table}
            onChange={(name) =>
              onChange(
                onTable(
                  model,
                  tables.find((each) => each.name === name)!,
                  language
                )
              )
            }
          />
        </InlineField>
        {time !== undefined && (
          <InlineField label="Panel time range" htmlFor={`${id}-time`} tooltip="Only events of the panel’s time range.">
            <InlineSwitch
              id={`${id}-time`}
              value={model.timeFilter !== null}
              onChange={({ currentTarget }) => change({ timeFilter: currentTarget.checked ? time : null })}
            />
          </InlineField>
        )}
      </FlexRow>
      <FilterRows {...part} />
      <InlineField label="Result" labelWidth={LABEL_WIDTH}>
        <RadioButtonGroup
          aria-label="Result"
          options={[...RESULTS]}
          value={isGrouped(model) ? 'groups' : 'rows'}
          onChange={(picked) => onChange((picked === 'rows' ? rows : counts)(model, table, language))}
        />
      </InlineField>
      {isGrouped(model) ? <GroupRows {...part} /> : <ColumnsRow {...part} />}
      {language === 'sql' && <SqlRow {...part} />}
    </div>
  );
}

type PartProps = React.ComponentProps<typeof GroupRows>;

function FilterRows({ id, language, table, model, onChange }: PartProps) {
  const fields = filterFields(table, language);
  const setFilter = (at: number, filter: BuilderFilter) =>
    onChange({
      filters: model.filters.map((each, place) => (place === at ? filter : each)),
      // Otherwise events without the record would have no row to test.
      ...(filter.operator === 'null' && filter.path.length > 1 ? { keepsMissing: true } : {}),
    });
  return (
    <InlineField label="Filters" labelWidth={LABEL_WIDTH} tooltip="All of them hold.">
      <FlexColumn>
        {model.filters.map((filter, at) => (
          <FilterRow
            key={at}
            id={`${id}-filter-${at}`}
            number={at + 1}
            language={language}
            fields={fields}
            filter={filter}
            onChange={(next) => setFilter(at, next)}
            onRemove={() => onChange({ filters: model.filters.filter((_, place) => place !== at) })}
          />
        ))}
        <FlexRow>
          <Button
            size="sm"
            variant="secondary"
            icon="plus"
            onClick={() => onChange({ filters: [...model.filters, filterOn(firstField(fields), language)] })}
          >
            Add filter
          </Button>
        </FlexRow>
      </FlexColumn>
    </InlineField>
  );
}

function firstField<T extends { readonly label: string }>(fields: readonly T[]): T {
  return fields.find(({ label }) => label === 'event_message') ?? fields[0]!;
}

const NO_ORDER = 'none';

/** Order, limit and missing records, which LQL does not support. */
function SqlRow({ id, table, model, onChange }: PartProps) {
  return (
    <FlexRow>
      <OrderFields id={id} table={table} model={model} onChange={onChange} />
      <InlineField label="Limit" htmlFor={`${id}-limit`}>
        <CommitInput
          id={`${id}-limit`}
          type="number"
          width={12}
          placeholder="No limit"
          value={String(model.limit ?? '')}
          onCommit={(text) => onChange({ limit: limitOf(text) })}
        />
      </InlineField>
      {recordsOf(model).length > 0 && (
        <InlineField
          label="Keep events without these fields"
          htmlFor={`${id}-missing`}
          tooltip="Otherwise events that lack a record which the query reads are left out."
        >
          <InlineSwitch
            id={`${id}-missing`}
            value={model.keepsMissing}
            onChange={({ currentTarget }) => onChange({ keepsMissing: currentTarget.checked })}
          />
        </InlineField>
      )}
    </FlexRow>
  );
}

/** The first key of the order. */
function OrderFields({ id, table, model, onChange }: Omit<PartProps, 'language'>) {
  const [order] = model.order;
  const sortable = isGrouped(model)
    ? outputsOf(model).map(({ name }) => ({ label: name, by: [name] }))
    : fieldsOf(table.columns)
        .filter(({ kind }) => kind !== 'record' && kind !== 'list')
        .map(({ label, path }) => ({ label, by: path }));
  const set = (changed: Partial<BuilderOrder>) => {
    const by = changed.by ?? order?.by;
    const rest = model.order.slice(1);
    onChange({ order: by ? [{ by, descending: order?.descending ?? false, ...changed }, ...rest] : [] });
  };
  return (
    <>
      <InlineField label="Order by" labelWidth={LABEL_WIDTH} htmlFor={`${id}-order`}>
        <Picker
          id={`${id}-order`}
          width={30}
          options={[...sortable.map(({ label }) => ({ value: label, label })), { value: NO_ORDER, label: 'None' }]}
          value={order ? (isGrouped(model) ? order.by[0] : labelOf(order.by)) : NO_ORDER}
          onChange={(picked) => {
            const found = sortable.find(({ label }) => label === picked);
            if (found) set({ by: found.by });
            else onChange({ order: [] });
          }}
        />
      </InlineField>
      {order && (
        <InlineField label="Descending" htmlFor={`${id}-descending`}>
          <InlineSwitch
            id={`${id}-descending`}
            value={order.descending}
            onChange={({ currentTarget }) => set({ descending: currentTarget.checked })}
          />
        </InlineField>
      )}
    </>
  );
}

function limitOf(text: string): number | null {
  const limit = Math.floor(Number(text));
  return limit >= 1 && limit < 1e9 ? limit : null;
}
