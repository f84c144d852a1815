/** Parts of the console that the browser loads when they are first shown. */
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { Problem } from '../api/problem';
import { Failure } from '../parts/failure';
import { toProblem } from './use-loaded';

/** @returns a component to be shown in a `LazyPart` */
export function lazyComponent<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({
    default: await load().catch(() => {
      throw notLoaded();
    }),
  }));
}

/** A server of another version has no file of this one. */
function notLoaded(): Problem {
  return new Problem(0, {
    code: 'part_not_loaded',
    message: 'This part of the console cannot be loaded.',
    details: { hint: 'see whether the service is running, then reload the page: the service may have a new version' },
  });
}

interface LazyPartProps {
  /** Shown while it is loaded. */
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

/**
 * What cannot be loaded or drawn leaves the rest of the page as it is. Without this, React takes the whole page away.
 */
export function LazyPart({ fallback = null, children }: LazyPartProps): ReactNode {
  return (
    <Boundary>
      <Suspense fallback={fallback}>{children}</Suspense>
    </Boundary>
  );
}

class Boundary extends Component<{ readonly children: ReactNode }, { readonly problem: Problem | null }> {
  override readonly state: { readonly problem: Problem | null } = { problem: null };

  static getDerivedStateFromError(error: unknown) {
    return { problem: toProblem(error) };
  }

  override render(): ReactNode {
    const { problem } = this.state;
    if (problem === null) return this.props.children;
    return (
      <>
        <Failure problem={problem} />
        <p className="actions">
          {/* The browser keeps a failed load, and React its outcome: nothing else tries it again. */}
          <button type="button" onClick={() => window.location.reload()}>
            Reload the page
          </button>
        </p>
      </>
    );
  }
}
