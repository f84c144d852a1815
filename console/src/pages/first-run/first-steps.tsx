/** An empty store: what to do next. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Problem } from '../../api/problem';
import type { ListedSource } from '../../api/shapes';
import { NEW_SOURCE, SOURCES, withState } from '../../app/links';
import { useSession } from '../../app/session';
import { toProblem } from '../../app/use-loaded';
import { Failure } from '../../parts/failure';
import { formatCount } from '../../results/values/format-value';
import { MakeShipperToken } from './make-shipper-token';

interface FirstStepsProps {
  readonly sources: readonly ListedSource[];
  readonly onLoading: (isLoading: boolean) => void;
  /** Called when the sample is stored, or a part of it. */
  readonly onStored: () => void;
}

export function FirstSteps({ sources, onLoading, onStored }: FirstStepsProps): ReactNode {
  const { may } = useSession();
  const [isTokenAsked, setTokenAsked] = useState(false);
  return (
    <section className="first-steps" aria-label="First steps">
      <h2>No events have arrived yet</h2>
      {may('ingest') && <SampleLoader sources={sources} onLoading={onLoading} onStored={onStored} />}
      {may('sources:write') && (
        <p>
          For logs of your own, <Link href={NEW_SOURCE}>create a source</Link>: a name is enough.
        </p>
      )}
      {may('ingest') && (
        <p>
          <Link href={withState(SOURCES, { view: 'send' })}>Paste events or drop a file</Link>, in JSON or plain text.
        </p>
      )}
      <p>
        <Link href={withState(SOURCES, { view: 'shippers' })}>Set up a log shipper</Link>: OpenTelemetry, Vector, Fluent
        Bit and others.
      </p>
      {may('tokens:admin') && !isTokenAsked && (
        <button type="button" onClick={() => setTokenAsked(true)}>
          Create a token for a shipper
        </button>
      )}
      {isTokenAsked && <MakeShipperToken />}
      {!may('ingest') && <p className="soft">This token may not send events itself (scope ingest).</p>}
    </section>
  );
}

function SampleLoader(props: FirstStepsProps): ReactNode {
  const { own } = useSession();
  const { loading, load, cancel } = useSample(props);
  // The sample is of several tenants and of the sources that come with the service.
  if (own.tenant !== null || !props.sources.some(({ name }) => name === 'edge_requests')) return null;
  return (
    <>
      <p>
        A week of sample logs of five fictional projects, in nine sources, for every saved query that comes with the
        service.
      </p>
      {loading.kind === 'running' ? (
        <div className="waiting" role="status">
          <progress aria-label="Sample logs" value={loading.share} /> {formatCount(loading.events, 'event')}
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        </div>
      ) : (
        <p>
          <button type="button" className="main" onClick={() => void load()}>
            {loading.kind === 'idle' ? 'Load the sample logs' : 'Go on with the sample logs'}
          </button>
        </p>
      )}
      {loading.kind === 'running' && loading.waitsFor !== null && (
        <p className="warning">Waiting for the service, which is tried again: {loading.waitsFor}</p>
      )}
      {loading.kind === 'failed' && loading.message !== '' && <p className="warning">{loading.message}</p>}
      {loading.kind === 'failed' && loading.problem && <Failure problem={loading.problem} />}
    </>
  );
}

type Loading =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly share: number; readonly events: number; readonly waitsFor: string | null }
  | { readonly kind: 'failed'; readonly problem: Problem | null; readonly message: string };

interface SampleLoading {
  readonly loading: Loading;
  readonly load: () => Promise<void>;
  readonly cancel: () => void;
}

function useSample({ onLoading, onStored }: FirstStepsProps): SampleLoading {
  const { token } = useSession();
  const [loading, setLoading] = useState<Loading>({ kind: 'idle' });
  const endMicros = useRef<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const load = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    // The same end again after a failure, so that what is stored is not stored twice.
    endMicros.current ??= Date.now() * 1000;
    onLoading(true);
    let last = { share: 0, events: 0 };
    setLoading({ kind: 'running', ...last, waitsFor: null });
    try {
      const { loadSample } = await import('./load-sample');
      const sent = await loadSample({
        token,
        endMicros: endMicros.current,
        signal: controller.signal,
        onProgress: (share, { accepted }) => {
          last = { share, events: accepted };
          setLoading({ kind: 'running', ...last, waitsFor: null });
        },
        onWait: ({ message }) => setLoading({ kind: 'running', ...last, waitsFor: message }),
      });
      const [first] = sent.errors;
      if (first === undefined) onLoading(false);
      if (first)
        setLoading({
          kind: 'failed',
          problem: null,
          message: `${formatCount(sent.rejected, 'event')} rejected: ${first.message}`,
        });
      else setLoading({ kind: 'idle' });
    } catch (error) {
      if (controller.signal.aborted) setLoading({ kind: 'failed', problem: null, message: 'Cancelled.' });
      else setLoading({ kind: 'failed', problem: toProblem(error), message: '' });
    } finally {
      onStored();
    }
  };
  return { loading, load, cancel: () => running.current?.abort() };
}
