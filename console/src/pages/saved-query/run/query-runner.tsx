/** Parameters, an optional text for the sandbox, and the result of the last run or a live tail. */
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Position } from '#contract/errors';
import type { Adhoc, RunRequest } from '../../../api/run-query';
import { serviceClock } from '../../../api/service-clock';
import type { DescribedQuery } from '../../../api/shapes';
import { LazyPart, lazyComponent } from '../../../app/lazy-part';
import { useSession } from '../../../app/session';
import { Failure } from '../../../parts/failure';
import { Waiting } from '../../../parts/waiting';
import type { EditorHandle } from '../../../editor/adhoc-editor';
import { NO_TABLES } from '../../../editor/settings';
import { LiveTailView } from '../../../tail/live-tail-view';
import { type TailSource, tailSource } from '../../../tail/tail-request';
import { ParametersForm } from './parameters-form';
import { RunResultView } from './run-result';
import { requestOf, type RunnerState } from './runner-state';
import { sqlOf } from '../../../texts/sandbox-text';
import { fillRange, type TimeParameters, timeParametersOf, withoutRange } from './time-range';
import { TimeRangeControl } from './time-range-control';
import { type DoneRun, type Outcome, type Runs, useRuns } from './use-runs';

const AdhocEditor = lazyComponent(async () => (await import('../sandbox')).AdhocEditor);
const EditorTools = lazyComponent(async () => (await import('../sandbox')).EditorTools);

interface QueryRunnerProps {
  readonly name: string;
  /** Null: the token may not read it. */
  readonly query: DescribedQuery | null;
  readonly state: RunnerState;
  readonly onState: (state: RunnerState) => void;
}

const MAX_ROWS = 1_000;

export function QueryRunner(props: QueryRunnerProps): ReactNode {
  const { name, query, state, onState } = props;
  const { may, own } = useSession();
  const editor = useRef<EditorHandle>(null);
  const hasSandbox = may('adhoc') && (query === null || query.sandbox);
  const range = useMemo(() => (query === null ? null : timeParametersOf(query.parameters)), [query]);
  const { outcome, cancel, runState, tailed, setTailed, onAdhoc, onRange, onTable } = useRunner(props, range);

  const now = requestOf(name, { ...state, parameters: withoutRange(state.parameters, range) });
  const isOfLines = now.adhoc !== null || query === null || hasLines(query);
  const source = isOfLines ? tailSource(now.adhoc, sqlOf(now.adhoc, query?.query ?? null), range, hasSandbox) : null;
  const tail = (): void => {
    cancel();
    if (source !== null) setTailed({ request: now, source });
  };
  const isTailed = tailed !== null && JSON.stringify(tailed.request) === JSON.stringify(now);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    runState(state);
  };
  const onRun = (isFresh = false): void => runState(state, isFresh);
  const buttons = (
    <RunButtons state={state} outcome={outcome} onTail={source === null || isTailed ? null : tail} onRun={onRun} />
  );
  return (
    <>
      <form className="runner" onSubmit={submit}>
        <ValueFields query={query} range={range} state={state} onState={onState} />
        {hasSandbox ? (
          <Sandbox {...props} editor={editor} parameters={now.parameters} onRun={onRun}>
            {buttons}
          </Sandbox>
        ) : (
          buttons
        )}
      </form>
      {tailed !== null && (
        <LiveTailView
          key={JSON.stringify(tailed.request)}
          {...tailed}
          maxRows={Math.min(MAX_ROWS, query?.max_rows ?? MAX_ROWS, own.max_rows ?? MAX_ROWS)}
          onStop={() => setTailed(null)}
        />
      )}
      <OutcomeView
        outcome={outcome}
        query={query}
        isTable={state.isTable}
        onTable={onTable}
        range={range}
        onCancel={cancel}
        {...(state.text.trim() !== '' && { onShow: (position: Position) => editor.current?.show(position) })}
        {...(hasSandbox && { onAdhoc })}
        {...(range && { onRange })}
      />
    </>
  );
}

interface OutcomeViewProps extends Omit<ComponentProps<typeof RunResultView>, keyof DoneRun> {
  readonly outcome: Outcome;
  readonly onCancel: () => void;
  /** Absent: there is no text with the position of a problem. */
  readonly onShow?: (position: Position) => void;
}

function OutcomeView({ outcome, onCancel, onShow, ...result }: OutcomeViewProps): ReactNode {
  switch (outcome.kind) {
    case 'none':
      return null;
    case 'running':
      return <Waiting what="Running" onCancel={onCancel} />;
    case 'failed':
      return <Failure problem={outcome.problem} {...(onShow && { onShow })} />;
    case 'done':
      return <RunResultView key={outcome.startedAt} {...outcome} {...result} />;
  }
}

/** What a live tail follows: the text as it was when it began. Typing does not end it. */
interface Tailed {
  readonly request: RunRequest;
  readonly source: TailSource;
}

interface Runner extends Pick<Runs, 'outcome' | 'cancel'> {
  readonly runState: (state: RunnerState, isFresh?: boolean) => void;
  readonly tailed: Tailed | null;
  readonly setTailed: (tailed: Tailed | null) => void;
  /** Runs a text that continues from the result. */
  readonly onAdhoc: (adhoc: Adhoc) => void;
  /** Runs the same for another time range. */
  readonly onRange: (fromMs: number, toMs: number) => void;
  readonly onTable: (isTable: boolean) => void;
}

/** A run and a live tail end each other. */
function useRunner({ name, state, onState }: QueryRunnerProps, range: TimeParameters | null): Runner {
  const { outcome, run, cancel } = useRuns();
  const [tailed, setTailed] = useState<Tailed | null>(null);
  const runState = (next: RunnerState, isFresh = false): void => {
    setTailed(null);
    run({
      ...requestOf(name, { ...next, parameters: fillRange(next.parameters, next.span, range, serviceClock.now()) }),
      isFresh,
    });
  };
  /** What continues from a result is in the address, and runs at once. */
  const goOn = (changes: Partial<RunnerState>): void => {
    const next = { ...state, ...changes };
    onState(next);
    runState(next);
  };
  const latest = useRef({ goOn, state, onState, range });
  useEffect(() => {
    latest.current = { goOn, state, onState, range };
  });
  const onAdhoc = useCallback((adhoc: Adhoc) => latest.current.goOn(adhoc), []);
  const onRange = useCallback((fromMs: number, toMs: number) => {
    const { goOn: go, state: current, range: names } = latest.current;
    if (names !== null) go(absolute(current, names, fromMs, toMs));
  }, []);
  const onTable = useCallback((isTable: boolean) => latest.current.onState({ ...latest.current.state, isTable }), []);
  return { outcome, cancel, runState, tailed, setTailed, onAdhoc, onRange, onTable };
}

interface ValueFieldsProps extends Pick<QueryRunnerProps, 'query' | 'state' | 'onState'> {
  readonly range: TimeParameters | null;
}

function ValueFields({ query, range, state, onState }: ValueFieldsProps): ReactNode {
  const { own } = useSession();
  return (
    <>
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
    </>
  );
}

interface SandboxProps extends QueryRunnerProps {
  readonly editor: RefObject<EditorHandle>;
  readonly parameters: Readonly<Record<string, string>>;
  readonly onRun: () => void;
  /** The buttons, which come with the editor: one that moves away under the pointer is not clicked. */
  readonly children: ReactNode;
}

function Sandbox({ name, query, state, onState, editor, parameters, onRun, children }: SandboxProps): ReactNode {
  const { language, text } = state;
  const common = { query: name, tables: query?.tables ?? NO_TABLES, parameters, language, text };
  return (
    <LazyPart fallback={<Waiting what="Loading the editor" />}>
      <AdhocEditor
        {...common}
        ref={editor}
        onChange={(chosen, written) => onState({ ...state, language: chosen, text: written })}
        onRun={() => onRun()}
      />
      {children}
      <EditorTools {...common} onText={(adhoc) => onState({ ...state, language: adhoc.language, text: adhoc.text })} />
    </LazyPart>
  );
}

interface RunButtonsProps {
  readonly state: RunnerState;
  readonly outcome: Outcome;
  /** Null: the result has no lines, or they are shown already. */
  readonly onTail: (() => void) | null;
  readonly onRun: (isFresh: boolean) => void;
}

function RunButtons({ state, outcome, onTail, onRun }: RunButtonsProps): ReactNode {
  const { may } = useSession();
  const isFromCache = outcome.kind === 'done' && outcome.result.cachedSeconds !== null;
  return (
    <div className="tools">
      <button type="submit" className="main" title="Ctrl+Enter in the editor">
        Run {state.text.trim() === '' ? 'the saved query' : `this ${state.language.toUpperCase()}`}
      </button>
      {onTail !== null && (
        <button type="button" title="Show lines as they arrive" onClick={onTail}>
          Live tail
        </button>
      )}
      {isFromCache && may('cache:bypass') && (
        <button type="button" onClick={() => onRun(true)}>
          Run again, without the cache
        </button>
      )}
    </div>
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
