/** The result of a run with what continues from it: filters, lines around, a narrower range. */
import { memo, type ReactNode, useMemo, useRef, useState } from 'react';
import type { Adhoc, Row } from '../../../api/run-query';
import type { DescribedQuery } from '../../../api/shapes';
import { LazyPart, lazyComponent } from '../../../app/lazy-part';
import { useSession } from '../../../app/session';
import { type AroundPlace, LinesAround } from '../../../results/lines/lines-around';
import { keyOfRow } from '../../../results/lines/log-lines';
import { type FieldValue, type ResultActions, ResultActionsProvider } from '../../../results/result-actions';
import { ResultView } from '../../../results/result-view';
import { useCounts } from '../../../charts/use-counts';
import { lqlToSql } from '../../../texts/lql-to-sql';
import { filterText, tableOf } from '../../../texts/sandbox-text';
import { boundsOf, type TimeParameters, withoutRange } from './time-range';
import type { DoneRun } from './use-runs';

const Histogram = lazyComponent(async () => (await import('../../../charts/charts')).Histogram);

interface RunResultViewProps extends DoneRun {
  readonly query: DescribedQuery | null;
  readonly isTable: boolean;
  readonly onTable: (isTable: boolean) => void;
  readonly range: TimeParameters | null;
  /** Absent: the token may not send texts. */
  readonly onAdhoc?: (adhoc: Adhoc) => void;
  /** Absent: the saved query declares no range. */
  readonly onRange?: (fromMs: number, toMs: number) => void;
}

/** Typing in the form draws the form alone. */
export const RunResultView = memo(function RunResultView(props: RunResultViewProps): ReactNode {
  const { request, result, startedAt, query, isTable, onTable, range, onAdhoc, onRange } = props;
  const { api, may } = useSession();
  const [around, setAround] = useState<Row | null>(null);
  const opener = useRef<Element | null>(null);
  const [cannotFilter, setCannotFilter] = useState(false);
  const bounds = useMemo(() => boundsOf(request.parameters, range, startedAt), [request, range, startedAt]);
  const counted = useCounts(request, query, result, bounds);
  const table = tableOf(request.adhoc, query);
  const place = useMemo<AroundPlace | null>(() => {
    const parameters = withoutRange(request.parameters, range);
    return table === undefined ? null : { query: request.query, parameters, table };
  }, [request, range, table]);

  const actions = useMemo<ResultActions>(() => {
    const canFilter = onAdhoc !== undefined && (request.adhoc !== null || query !== null);
    const filter = async (path: readonly string[], value: FieldValue, isNegated: boolean): Promise<void> => {
      const [column = '', ...names] = path;
      const columnType = result.columns.find(({ name }) => name === column)?.type ?? '';
      const wanted = { path: [column, ...names], columnType, value, isNegated } as const;
      const toSql = async (): Promise<string | null> =>
        may('endpoints:read') ? lqlToSql(api, request).catch(() => null) : null;
      const adhoc = await filterText(request.adhoc, query?.query ?? null, wanted, toSql);
      setCannotFilter(adhoc === null);
      if (adhoc !== null) onAdhoc?.(adhoc);
    };
    const canAround = onAdhoc !== undefined && place !== null && hasWholeTimes(result.columns);
    const openAround = (row: Row): void => {
      opener.current = document.activeElement;
      setAround(row);
    };
    return {
      columns: result.columns,
      ...(canFilter && { onFilter: (path, value, isNegated) => void filter(path, value, isNegated) }),
      ...(canAround && { onAround: openAround }),
    };
  }, [api, may, onAdhoc, place, query, request, result]);

  const closeAround = (): void => {
    setAround(null);
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
  return (
    <ResultActionsProvider value={actions}>
      {cannotFilter && (
        <p className="warning" role="alert">
          This value cannot be a condition of a text: write one into the editor.
        </p>
      )}
      {around !== null && place !== null && (
        <LinesAround key={keyOfRow(around)} place={place} row={around} onClose={closeAround} />
      )}
      <ResultView
        request={request}
        result={result}
        isTable={isTable}
        onTable={onTable}
        aboveLines={counted && <CountsOverTime counted={counted} {...(onRange && { onRange })} />}
      />
    </ResultActionsProvider>
  );
});

interface CountsOverTimeProps extends Pick<RunResultViewProps, 'onRange'> {
  readonly counted: NonNullable<ReturnType<typeof useCounts>>;
}

function CountsOverTime({ counted: { isWhole, counts }, onRange }: CountsOverTimeProps): ReactNode {
  return (
    <LazyPart>
      <p className="facts counted">
        {isWhole
          ? `${counts.total.toLocaleString()} events in the time range`
          : 'Events of the rows on this page, over time'}
        {onRange ? '; drag over a part to narrow the range' : ''}
      </p>
      <Histogram counts={counts} {...(onRange && { onRange })} />
    </LazyPart>
  );
}

function hasWholeTimes(columns: DoneRun['result']['columns']): boolean {
  return columns.some(({ name, type }) => name === 'timestamp' && type === 'TIMESTAMP');
}
