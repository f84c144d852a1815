import React, { useEffect, useRef, useState } from 'react';
import type { AnnotationQuery, DataQuery, DataSourceApi } from '@grafana/data';
import { Alert } from '@grafana/ui';
import { annotationEvents, annotationSupport } from '../host/annotation-query';
import { deepFreeze } from '../host/deep-freeze';
import { requestOf } from '../host/run-request';

/** Grafana has no such bound: its tab hangs. */
const MAX_ROUNDS = 25;
const RANGE = requestOf({ refId: 'Anno' }).range;

interface Props {
  readonly datasource: DataSourceApi;
  readonly annotation: AnnotationQuery;
}

/**
 * Grafana's page of one annotation: it is prepared after every change, and drawn again until preparing gives the same
 * object.
 */
export function AnnotationView({ datasource, annotation: first }: Props) {
  const [annotation, setAnnotation] = useState(() => deepFreeze(first));
  const [found, setFound] = useState('loading...');
  const [problem, setProblem] = useState<string>();
  const rounds = useRef(0);
  const runs = useRef(0);
  const run = async () => {
    const own = ++runs.current;
    // A run that ends after a later one has begun says nothing about what is shown.
    const show = (events: string, message?: string) => {
      if (own !== runs.current) return;
      setFound(events);
      setProblem(message);
    };
    setProblem(undefined);
    try {
      show(`${(await annotationEvents(datasource, annotation)).length} events`);
    } catch (thrown) {
      show('', (thrown as Error).message);
    }
  };
  useEffect(() => {
    const prepared = annotationSupport(datasource).prepareAnnotation(annotation);
    if (prepared === annotation) {
      rounds.current = 0;
      void run();
    } else if (++rounds.current > MAX_ROUNDS) setProblem('The annotation is another one each time');
    else setAnnotation(deepFreeze(prepared));
    // The host looks at the annotation alone.
  }, [annotation]);
  const { annotations, components } = datasource;
  const Editor = annotations?.QueryEditor ?? components!.QueryEditor!;
  const query = deepFreeze({ ...annotations?.getDefaultQuery?.(), ...(annotation.target ?? { refId: 'Anno' }) });
  return (
    <>
      <Editor
        datasource={datasource}
        query={query}
        range={RANGE}
        annotation={annotation}
        onAnnotationChange={(next) => setAnnotation(deepFreeze(next as AnnotationQuery))}
        onChange={(target: DataQuery) => setAnnotation(deepFreeze({ ...annotation, target }))}
        onRunQuery={() => void run()}
      />
      {problem ? <Alert severity="error" title={problem} /> : <p role="status">{found}</p>}
    </>
  );
}
