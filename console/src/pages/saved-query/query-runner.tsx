/** Parameters, an optional text for the sandbox, and the result of the last run or a live tail. */
import {
  type FormEvent,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Adhoc } from '../../api/run-query';
import type { DescribedQuery } from '../../api/shapes';
import { useSession } from '../../app/session';
import { Failure } from '../../parts/failure';
import { Waiting } from '../../parts/waiting';
import type { EditorHandle } from '../../editor/adhoc-editor';
import { LiveTailView } from '../../tail/live-tail-view';
import { tailSource } from '../../tail/tail-request';
import { ParametersForm } from './parameters-form';
import { RunResultView } from './run-result';
import { requestOf, type RunnerState } from './runner-state';
import { sqlOf } from '../../texts/sandbox-text';
import { fillRange, type TimeParameters, timeParametersOf, withoutRange } from './time-range';
import { TimeRangeControl } from './time-range-control';
import { useRuns } from './use-runs';

const AdhocEditor = lazy(async () => ({ default: (await import('./sandbox')).AdhocEditor }));
const EditorTools = lazy(async () => ({ default: (await import('./sandbox')).EditorTools }));

interface QueryRunnerProps {
  readonly name: string;
  /** Null: the token may not read it. */
  readonly query: DescribedQuery | null;
  readonly state: RunnerState;
  readonly onState: (state: RunnerState) => void;
}

const MAX_ROWS = 1_000;

export function QueryRunner({ name, query, state, onState }: QueryRunnerProps): ReactNode {
  const { may, own } = useSession();
  const { outcome, run, cancel } = useRuns();
  const [isTailing, setTailing] = useState(false);
  const editor = useRef<EditorHandle>(null);
  const hasSandbox = may('adhoc') && (query === null || query.sandbox);
  const range = useMemo(() => (query === null ? null : timeParametersOf(query.parameters)), [query]);

  const runState = (next: RunnerState, isFresh = false): void => {
    setTailing(false);
    run({
      ...requestOf(name, { ...next, parameters: fillRange(next.parameters, next.span, range, Date.now()) }),
      isFresh,
    });
  };
  /** What continues from a result is in the address, and runs at once. */
  const goOn = (changes: Partial<RunnerState>): void => {
    const next = { ...state, ...changes };
    onState(next);
    runState(next);
  };
  const latest = useRef({ goOn, state, range });
  useEffect(() => {
    latest.current = { goOn, state, range };
  });
  const onAdhoc = useCallback((adhoc: Adhoc) => latest.current.goOn(adhoc), []);
  const onRange = useCallback((fromMs: number, toMs: number) => {
    const { goOn: go, state: current, range: names } = latest.current;
    if (names !== null) go(absolute(current, names, fromMs, toMs));
  }, []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    runState(state);
  };
  const setText = ({ language, text }: Adhoc): void => onState({ ...state, language, text });

  const now = requestOf(name, { ...state, parameters: withoutRange(state.parameters, range) });
  const isOfLines = now.adhoc !== null || query === null || hasLines(query);
  const source = isOfLines ? tailSource(now.adhoc, sqlOf(now.adhoc, query?.query ?? null), range, hasSandbox) : null;
  const isFromCache = outcome.kind === 'done' && outcome.result.cachedSeconds !== null;
  // They come with the editor above them: one that moves away under the pointer is not clicked.
  const buttons = (
    <div className="tools">
      <button type="submit" className="main" title="Ctrl+Enter in the editor">
        Run {state.text.trim() === '' ? 'the saved query' : `this ${state.language.toUpperCase()}`}
      </button>
      {source !== null && !isTailing && (
        <button
          type="button"
          title="Show lines as they arrive"
          onClick={() => {
            cancel();
            setTailing(true);
          }}
        >
          Live tail
        </button>
      )}
      {isFromCache && may('cache:bypass') && (
        <button type="button" onClick={() => runState(state, true)}>
          Run again, without the cache
        </button>
      )}
    </div>
  );
  return (
    <>
      <form className="runner" onSubmit={submit}>
        <ParametersForm
          declared={query?.parameters.filter((each) => each.name !== range?.start && each.name !== range?.end) ?? null}
          fixed={own.fixed_parameters}
          values={state.parameters}
          onChange={(parameters) => onState({ ...state, parameters })}
        />
        {range && !own.fixed_parameters.includes(range.start) && (
          <TimeRangeControl
            range={range}
            span={state.span}
            values={state.parameters}
            onChange={(span, parameters) => onState({ ...state, span, parameters })}
          />
        )}
        {hasSandbox && (
          <Suspense fallback={<Waiting what="Loading the editor" />}>
            <AdhocEditor
              ref={editor}
              query={name}
              tables={query?.tables ?? []}
              language={state.language}
              text={state.text}
              parameters={now.parameters}
              onChange={(language, text) => onState({ ...state, language, text })}
              onRun={() => runState(state)}
            />
            {buttons}
            <EditorTools
              query={name}
              tables={query?.tables ?? []}
              parameters={now.parameters}
              language={state.language}
              text={state.text}
              onText={setText}
            />
          </Suspense>
        )}
        {!hasSandbox && buttons}
      </form>
      {isTailing && source !== null && (
        <LiveTailView
          key={JSON.stringify(now)}
          request={now}
          source={source}
          maxRows={Math.min(MAX_ROWS, query?.max_rows ?? MAX_ROWS, own.max_rows ?? MAX_ROWS)}
          onStop={() => setTailing(false)}
        />
      )}
      {outcome.kind === 'running' && <Waiting what="Running" onCancel={cancel} />}
      {outcome.kind === 'failed' && (
        <Failure
          problem={outcome.problem}
          {...(state.text.trim() !== '' && {
            onShow: (position: { readonly line: number; readonly column: number }) => editor.current?.show(position),
          })}
        />
      )}
      {outcome.kind === 'done' && (
        <RunResultView
          key={outcome.startedAt}
          {...outcome}
          query={query}
          range={range}
          {...(hasSandbox && { onAdhoc })}
          {...(range && { onRange })}
        />
      )}
    </>
  );
}

function hasLines({ fields }: DescribedQuery): boolean {
  const isThere = (wanted: string): boolean => fields.some(({ name }) => name === wanted);
  return isThere('timestamp') && isThere('event_message');
}

function absolute(
  { parameters }: RunnerState,
  range: TimeParameters,
  fromMs: number,
  toMs: number
): Partial<RunnerState> {
  const [start, end] = [fromMs, toMs].map((millis) => new Date(millis).toISOString());
  const bounds = { [range.start]: start!, ...(range.end !== null && { [range.end]: end! }) };
  return { span: null, parameters: { ...parameters, ...bounds } };
}
