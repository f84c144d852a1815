/** What can be done with a text: format it, see LQL as SQL, begin with an example, save it. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { DescribedTable } from '#contract/queries/description';
import { formatSql } from '../../../../src/builder/sql/format-sql';
import { exampleTexts } from '../../../../src/language/example-texts';
import type { TimeClauses } from '../../../../src/language/time-clauses';
import type { Problem } from '../../api/problem';
import type { Adhoc, Language } from '../../api/run-query';
import { newQueryLink } from '../../app/links';
import { useSession } from '../../app/session';
import { toProblem } from '../../app/use-loaded';
import { Failure } from '../../parts/failure';
import { lqlToSql } from '../../texts/lql-to-sql';

/** The parameters of the call bound the time. */
const CLAUSES: TimeClauses = {
  sqlFilter: null,
  sqlBucket: 'timestamp_trunc(timestamp, hour)',
  lqlFilter: null,
  lqlBucket: 't::1h',
};

interface EditorToolsProps {
  readonly query: string;
  readonly tables: readonly DescribedTable[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly language: Language;
  readonly text: string;
  readonly onText: (adhoc: Adhoc) => void;
}

export function EditorTools({ query, tables, parameters, language, text, onText }: EditorToolsProps): ReactNode {
  const { api, may } = useSession();
  const [problem, setProblem] = useState<Problem | null>(null);
  const isEmpty = text.trim() === '';
  const latest = useRef({ text, onText });
  useEffect(() => {
    latest.current = { text, onText };
  });
  const formatted = language === 'sql' && !isEmpty ? formatSql(text) : undefined;

  const showSql = async (): Promise<void> => {
    setProblem(null);
    try {
      const sql = await lqlToSql(api, { query, parameters, adhoc: { language, text } });
      // A text that was changed in the meantime stays.
      if (latest.current.text === text) latest.current.onText({ language: 'sql', text: sql });
    } catch (error) {
      setProblem(toProblem(error));
    }
  };
  return (
    <>
      <div className="tools">
        <Examples tables={tables} language={language} onText={onText} />
        {language === 'sql' && (
          <button
            type="button"
            disabled={formatted === undefined || formatted === text}
            onClick={() => onText({ language, text: formatted ?? text })}
          >
            Format
          </button>
        )}
        {language === 'lql' && may('endpoints:read') && (
          <button
            type="button"
            disabled={isEmpty}
            title="The SQL that this LQL is compiled to"
            onClick={() => void showSql()}
          >
            As SQL
          </button>
        )}
        {!isEmpty && may('endpoints:write') && (
          <Link className="button" href={newQueryLink(query, { language, text })}>
            Save as …
          </Link>
        )}
      </div>
      {problem && <Failure problem={problem} />}
    </>
  );
}

type ExamplesProps = Pick<EditorToolsProps, 'tables' | 'language' | 'onText'>;

/** One list for all tables: the first table has all examples, the others their newest events. */
function Examples({ tables, language, onText }: ExamplesProps): ReactNode {
  if (tables.length === 0) return null;
  const groups = tables.map(({ name }, at) => ({
    name,
    texts: exampleTexts(language, tables, CLAUSES, name).slice(0, at === 0 ? undefined : 2),
  }));
  const insert = (chosen: string): void => {
    const [table, title] = JSON.parse(chosen) as [string, string];
    const example = groups.find(({ name }) => name === table)?.texts.find((each) => each.title === title);
    if (example) onText({ language, text: example.text });
  };
  return (
    <label>
      <span className="unseen">Insert an example</span>
      <select value="" onChange={(event) => insert(event.target.value)}>
        <option value="">Examples …</option>
        {groups.map(({ name, texts }) => (
          <optgroup key={name} label={name}>
            {texts.map(({ title }) => (
              <option key={title} value={JSON.stringify([name, title])}>
                {title}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}
