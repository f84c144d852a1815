/** A result in the form that fits it: log lines with their histogram, a chart above a table, or a table. */
import { type ReactNode, useMemo, useState } from 'react';
import { LazyPart, lazyComponent } from '../app/lazy-part';
import { useApi } from '../app/session';
import { toProblem } from '../app/use-loaded';
import { type Download, downloadResult, DOWNLOADS, type RunRequest, type RunResult } from '../api/run-query';
import type { Problem } from '../api/problem';
import { Failure } from '../parts/failure';
import { Waiting } from '../parts/waiting';
import { saveBlob } from '../parts/save-blob';
import { areEvents, LogLines } from './lines/log-lines';
import { readSeries } from '../charts/read-series';
import { ResultFacts } from './result-facts';
import { ResultTable } from './table/result-table';

const ResultChart = lazyComponent(async () => (await import('../charts/charts')).ResultChart);

interface ResultViewProps {
  /** What gave the result: downloads send it again. Null: a preview, which cannot be downloaded. */
  readonly request: RunRequest | null;
  readonly result: RunResult;
  /** Log lines are shown as a table, as any other result. */
  readonly isTable: boolean;
  readonly onTable: (isTable: boolean) => void;
  /** What is shown above log lines. */
  readonly aboveLines?: ReactNode;
}

export function ResultView({ request, result, isTable, onTable, aboveLines }: ResultViewProps): ReactNode {
  const { columns, rows } = result;
  const hasLines = areEvents(columns);
  const isLines = hasLines && !isTable;
  const series = useMemo(() => readSeries(columns, rows), [columns, rows]);

  return (
    <section className="result" aria-label="Result">
      <div className="result-head">
        <ResultFacts result={result} />
        <div className="tools">
          {hasLines && (
            <button type="button" onClick={() => onTable(isLines)}>
              Show as {isLines ? 'table' : 'log lines'}
            </button>
          )}
          {request && <Downloads request={request} />}
        </div>
      </div>
      {series !== null && !isLines && (
        <LazyPart fallback={<Waiting what="Loading the chart" />}>
          <ResultChart series={series} />
        </LazyPart>
      )}
      {isLines && aboveLines}
      {rows.length === 0 ? (
        <p className="empty">The query ran and found no rows.</p>
      ) : isLines ? (
        <LogLines columns={columns} rows={rows} />
      ) : (
        <ResultTable columns={columns} rows={rows} />
      )}
    </section>
  );
}

function Downloads({ request }: { readonly request: RunRequest }): ReactNode {
  const api = useApi();
  const [running, setRunning] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  const download = async (format: Download): Promise<void> => {
    setRunning(format.label);
    setProblem(null);
    try {
      saveBlob(await downloadResult(api, request, format), `${request.query}.${format.extension}`);
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setRunning(null);
    }
  };

  return (
    <>
      {DOWNLOADS.map((format) => (
        <button key={format.label} type="button" disabled={running !== null} onClick={() => void download(format)}>
          {running === format.label ? 'Loading …' : format.label}
        </button>
      ))}
      {problem && <Failure problem={problem} />}
    </>
  );
}
