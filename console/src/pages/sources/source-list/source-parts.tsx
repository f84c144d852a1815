/** What the list and the page of a source show of it. */
import type { ReactNode } from 'react';
import type { ListedSource } from '../../../api/shapes';
import { formatCount } from '../../../results/values/format-value';
import { ArrivalBars } from './arrival-bars';

interface SourceProps {
  readonly source: ListedSource;
}

/** Shown from half on, which one tenant alone may use. */
export function FieldsInUse({ source: { nested_fields } }: SourceProps): ReactNode {
  if (nested_fields === null) return null;
  const { fields, max_fields, columns, max_columns, tenants } = nested_fields;
  if (fields < max_fields / 2 && columns < max_columns / 2) return null;
  const [most] = tenants;
  return (
    <div className="warning" title="Of nested fields, which all tenants share; further ones get no name in queries">
      {fields.toLocaleString()} of {formatCount(max_fields, 'field')} and {columns.toLocaleString()} of{' '}
      {formatCount(max_columns, 'column')} in use{most === undefined ? '' : `, most by ${most.tenant}`}
    </div>
  );
}

export function Arrivals({ source }: SourceProps): ReactNode {
  return (
    <div>
      <ArrivalBars arrivals={source.arrivals} />
      <Lost source={source} />
    </div>
  );
}

export function Days({ source: { days, sealed_days, seal_fault } }: SourceProps): ReactNode {
  return (
    <div>
      {days ?? ''}
      {sealed_days !== null && sealed_days > 0 && <span className="soft"> ({sealed_days} sealed)</span>}
      {seal_fault !== null && <div className="warning">sealing failed: {seal_fault}</div>}
    </div>
  );
}

/** Events that are in no query. */
function Lost({ source: { arrivals, dead_letters } }: SourceProps): ReactNode {
  const { rejected, duplicates } = arrivals;
  return (
    <>
      {rejected > 0 && <div className="warning">{rejected.toLocaleString()} rejected</div>}
      {duplicates > 0 && <div className="soft">{duplicates.toLocaleString()} sent again</div>}
      {dead_letters !== null && dead_letters > 0 && (
        <div className="warning" title="Events that the store refused and that are kept aside">
          {formatCount(dead_letters, 'dead letter')}
        </div>
      )}
    </>
  );
}
