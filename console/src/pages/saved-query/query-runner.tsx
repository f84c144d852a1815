/** Parameters, an optional text for the sandbox, and the result of the last run. */
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { runQuery, type RunRequest, type RunResult } from '../../api/run-query';
import type { Problem } from '../../api/problem';
import type { DescribedQuery } from '../../api/shapes';
import { useSession } from '../../app/session';
import { toProblem } from '../../app/use-loaded';
import { Failure } from '../../parts/failure';
import { Waiting } from '../../parts/waiting';
import { ResultView } from '../../results/result-view';
import { ParametersForm } from './parameters-form';
import { requestOf, type RunnerState } from './runner-state';
import type { EditorHandle } from '../../editor/adhoc-editor';

const AdhocEditor = lazy(async () => ({ default: (await import('../../editor/adhoc-editor')).AdhocEditor }));

interface QueryRunnerProps {
  readonly name: string;
  /** Null: the token may not read it. */
  readonly query: DescribedQuery | null;
  readonly state: RunnerState;
  readonly onState: (state: RunnerState) => void;
}

type Outcome =
  | { readonly kind: 'none' | 'running' }
  | { readonly kind: 'done'; readonly request: RunRequest; readonly result: RunResult }
  | { readonly kind: 'failed'; readonly problem: Problem };

export function QueryRunner({ name, query, state, onState }: QueryRunnerProps): ReactNode {
  const { api, may, own } = useSession();
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' });
  const running = useRef<AbortController | null>(null);
  const editor = useRef<EditorHandle>(null);
  const hasSandbox = may('adhoc') && (query === null || query.sandbox);

  useEffect(() => () => running.current?.abort(), []);

  const run = async (isFresh = false): Promise<void> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const request = requestOf(name, state);
    setOutcome({ kind: 'running' });
    try {
      const result = await runQuery(api, { ...request, isFresh }, controller.signal);
      if (!controller.signal.aborted) setOutcome({ kind: 'done', request, result });
    } catch (error) {
      if (!controller.signal.aborted) setOutcome({ kind: 'failed', problem: toProblem(error) });
    }
  };
  const cancel = (): void => {
    running.current?.abort();
    setOutcome({ kind: 'none' });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };

  const isFromCache = outcome.kind === 'done' && outcome.result.cachedSeconds !== null;
  return (
    <>
      <form className="runner" onSubmit={submit}>
        <ParametersForm
          declared={query?.parameters ?? null}
          fixed={own.fixed_parameters}
          values={state.parameters}
          onChange={(parameters) => onState({ ...state, parameters })}
        />
        {hasSandbox && (
          <Suspense fallback={<Waiting what="Loading the editor" />}>
            <AdhocEditor
              ref={editor}
              query={name}
              tables={query?.tables ?? []}
              language={state.language}
              text={state.text}
              parameters={requestOf(name, state).parameters}
              onChange={(language, text) => onState({ ...state, language, text })}
              onRun={() => void run()}
            />
          </Suspense>
        )}
        <div className="tools">
          <button type="submit" className="main" title="Ctrl+Enter in the editor">
            Run {state.text.trim() === '' ? 'the saved query' : `this ${state.language.toUpperCase()}`}
          </button>
          {isFromCache && may('cache:bypass') && (
            <button type="button" onClick={() => void run(true)}>
              Run again, without the cache
            </button>
          )}
        </div>
      </form>
      {outcome.kind === 'running' && <Waiting what="Running" onCancel={cancel} />}
      {outcome.kind === 'failed' && (
        <Failure
          problem={outcome.problem}
          {...(state.text.trim() !== '' && {
            onShow: (position: { readonly line: number; readonly column: number }) => editor.current?.show(position),
          })}
        />
      )}
      {outcome.kind === 'done' && <ResultView request={outcome.request} result={outcome.result} />}
    </>
  );
}
