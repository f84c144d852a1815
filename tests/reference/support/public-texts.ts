/**
 * Statements of a folder that is not of this project: compliance tests of GoogleSQL and the examples of its documents.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PublicTexts {
  /** `compliance` or `documents`. */
  readonly kind: string;
  readonly file: string;
  readonly texts: readonly string[];
}

/** @param folder with `*.test` and `*.md` at any depth */
export function readPublicTexts(folder: string): readonly PublicTexts[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return files.flatMap((file) => {
    if (!/\.(?:test|md)$/.test(file)) return [];
    const content = readFileSync(join(folder, file), 'utf8');
    const isCompliance = file.endsWith('.test');
    const texts = isCompliance ? readCompliance(content) : readDocument(content);
    return texts.length === 0 ? [] : [{ kind: isCompliance ? 'compliance' : 'documents', file, texts }];
  });
}

const TABLE = /^CREATE\s+TABLE\s+`?(\w+)`?\s+AS\s+([^]*)$/i;

/** Cases end with "==" and are followed by their result behind "--"; tables that they create become WITH queries. */
function readCompliance(content: string): readonly string[] {
  const tables = new Map<string, string>();
  return content.split(/^==$/m).flatMap((section) => {
    const [statement = ''] = section.split(/^--$/m);
    const text = statement
      .replace(/^(?:\s*(?:#.*|\[[\w ]+(?:=[^\n]*)?\]))*\s*$/gm, '')
      .trim()
      .replace(/;$/, '');
    const table = TABLE.exec(text);
    if (table !== null) {
      tables.set(table[1] as string, table[2] as string);
      return [];
    }
    return isQuery(text) && !text.includes('@') ? [withTables(text, tables)] : [];
  });
}

/** Examples without the comments that show their results. */
function readDocument(content: string): readonly string[] {
  const blocks = [...content.matchAll(/^```(?:googlesql|zetasql|sql)[^\n]*\n([^]*?)^```/gm)];
  const statements = blocks.flatMap(([, block = '']) => block.replace(/\/\*[^]*?\*\/?/g, '').split(';'));
  return statements.map((text) => externalTypes(text.trim())).filter((text) => isQuery(text) && !/[{}@]/.test(text));
}

const isQuery = (text: string): boolean => /^(?:\(*\s*SELECT|WITH|FROM)\b/i.test(text);

function withTables(text: string, tables: ReadonlyMap<string, string>): string {
  const used = [...tables].filter(([name]) => new RegExp(`\\b${name}\\b`, 'i').test(text));
  if (used.length === 0) return externalTypes(text);
  const list = used.map(([name, query]) => `${name} AS (${query})`).join(',\n');
  const isWith = /^WITH\b(?!\s*\()/i.test(text);
  return externalTypes(isWith ? text.replace(/^WITH(\s+RECURSIVE)?/i, `WITH$1 ${list},`) : `WITH ${list}\n${text}`);
}

/** Types of the implementation's own become those that users of BigQuery have. */
function externalTypes(text: string): string {
  return text.replace(/\b(?:double|float)\b/gi, 'FLOAT64').replace(/\bu?int(?:32|64)\b/gi, 'INT64');
}
