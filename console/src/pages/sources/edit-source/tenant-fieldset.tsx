/** Whether events belong to tenants, and what names them. */
import type { ReactNode } from 'react';
import { keysOf } from '#contract/records';
import { Field } from '../../edit/form/field';
import type { SourceFields } from './source-fields';

interface TenantFieldsetProps {
  readonly fields: SourceFields;
  readonly problem: string | undefined;
  /** What the change does to stored events; null: nothing. */
  readonly warning: string | null;
  readonly set: (part: Partial<SourceFields>) => void;
}

const PLACES: Readonly<Record<SourceFields['tenantIn'], string>> = {
  nothing: 'Events have no tenant',
  column: 'An own column names the tenant',
  field: 'A field of the metadata names the tenant',
};

export function TenantFieldset({ fields, problem, warning, set }: TenantFieldsetProps): ReactNode {
  const { tenantIn, tenantColumn, tenantField, isTenantOptional } = fields;
  return (
    <fieldset>
      <legend>Tenants</legend>
      <p className="soft">A token of a tenant reads and writes the events of that tenant only.</p>
      <div className="choices">
        {keysOf(PLACES).map((place) => (
          <label key={place}>
            <input
              type="radio"
              name="tenant-in"
              checked={tenantIn === place}
              onChange={() => set({ tenantIn: place })}
            />
            {PLACES[place]}
          </label>
        ))}
      </div>
      <div className="form-grid">
        {tenantIn === 'column' && (
          <Field label="Column of the tenant" problem={problem}>
            <input
              spellCheck={false}
              value={tenantColumn}
              onChange={({ target }) => set({ tenantColumn: target.value.trim() })}
            />
          </Field>
        )}
        {tenantIn === 'field' && (
          <Field label="Field of the tenant" help="Its path below metadata." problem={problem}>
            <input
              spellCheck={false}
              placeholder="project_ref"
              value={tenantField}
              onChange={({ target }) => set({ tenantField: target.value })}
            />
          </Field>
        )}
        {tenantIn !== 'nothing' && (
          <div className="choices">
            <label>
              <input
                type="checkbox"
                checked={isTenantOptional}
                onChange={({ target }) => set({ isTenantOptional: target.checked })}
              />
              Store events that name no tenant, too: tokens of a tenant never read them
            </label>
          </div>
        )}
      </div>
      {tenantIn === 'nothing' && problem !== undefined && <p className="wrong">{problem}</p>}
      {warning !== null && (
        <p role="status" className="warning">
          {warning}
        </p>
      )}
    </fieldset>
  );
}
