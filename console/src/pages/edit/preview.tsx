/** Runs the definition that is on the page, without saving it. */
import { forwardRef, type ReactNode, useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { Parameter } from '#contract/queries/saved-query';
import { previewDefinition } from '../../api/changes';
import type { Problem } from '../../api/problem';
import type { RunResult } from '../../api/run-query';
import { useApi } from '../../app/session';
import { toProblem } from '../../app/use-loaded';
import type { Fields } from '../../definition/definition-text';
import { parametersOf, textOf, textsOf, withName } from '../../definition/read-fields';
import { Failure } from '../../parts/failure';
import { Waiting } from '../../parts/waiting';
import { ResultView } from '../../results/result-view';
import { ParametersForm } from '../saved-query/run/parameters-form';

interface PreviewProps {
  readonly text: string;
  readonly fields: Fields | null;
  readonly values: Readonly<Record<string, string>>;
  readonly onValues: (values: Readonly<Record<string, string>>) => void;
}

export interface PreviewHandle {
  readonly run: () => void;
}

export const Preview = forwardRef<PreviewHandle, PreviewProps>(function Preview(
  { text, fields, values, onValues },
  ref
): ReactNode {
  const api = useApi();
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const [isRunning, setRunning] = useState(false);
  const [result, setResult] = useState<RunResult | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isTable, setTable] = useState(false);
  const declared = fields === null ? [] : declaredIn(fields);

  const run = async (): Promise<void> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    setProblem(null);
    const names = declared.map(({ name }) => name);
    const given = Object.entries(values).filter(([name, value]) => value !== '' && names.includes(name));
    try {
      const isNamed = fields === null || textOf(fields, 'name') !== '';
      const definition = isNamed ? { yaml: text } : { definition: withName(fields) };
      setResult(await previewDefinition(api, definition, Object.fromEntries(given), controller.signal));
    } catch (error) {
      if (controller.signal.aborted) return;
      setResult(null);
      setProblem(toProblem(error));
    } finally {
      if (running.current === controller) setRunning(false);
    }
  };
  const section = useRef<HTMLElement>(null);
  // The text that asks for it is far above.
  const runAndShow = async (): Promise<void> => {
    await run();
    // Once the rows are drawn, the page is long enough.
    requestAnimationFrame(() => section.current?.scrollIntoView({ block: 'start' }));
  };
  useImperativeHandle(ref, () => ({ run: () => void runAndShow() }));

  return (
    <section ref={section} className="preview" aria-label="Preview">
      <h2>Preview</h2>
      <ParametersForm declared={declared} fixed={[]} values={values} onChange={onValues} />
      <div className="tools">
        <button type="button" disabled={isRunning} onClick={() => void run()}>
          Run a preview
        </button>
        <span className="soft">
          At most 100 rows and 10 s; nothing is saved or cached. Ctrl+Enter in the text runs it, too.
        </span>
      </div>
      {isRunning && (
        <Waiting
          what="Running the preview"
          onCancel={() => {
            running.current?.abort();
            setRunning(false);
          }}
        />
      )}
      {problem && <Failure problem={problem} />}
      {result && <ResultView request={null} result={result} isTable={isTable} onTable={setTable} />}
    </section>
  );
});

/** Parameters with a name, as the service reads them. */
function declaredIn(fields: Fields): readonly Parameter[] {
  return parametersOf(fields).flatMap((each) => {
    const name = textOf(each, 'name');
    const choices = textsOf(each, 'enum');
    if (name === '') return [];
    const declared = {
      name,
      type: (textOf(each, 'type') || 'text') as Parameter['type'],
      required: each['required'] === true,
      description: textOf(each, 'description'),
      default: textOf(each, 'default') || undefined,
      ...(choices !== undefined && { enum: [...choices] }),
      ...(textOf(each, 'format') === 'iso8601' && { format: 'iso8601' as const }),
    };
    return [declared];
  });
}
