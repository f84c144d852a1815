/** A text that a person edits, in a private temporary file. The file is removed only when nothing of it is lost. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { decode } from '../folder/read-folder';
import { printable } from '../../output/terminal';
import { toError } from '../../../common/caught-error';

export interface Draft {
  readonly file: string;
  /**
   * Opens the editor.
   *
   * @param notes shown on top of the text as comments, which are removed afterwards
   * @returns the text, or why it cannot be used
   */
  edit(text: string, notes: readonly string[]): Promise<{ readonly text: string } | { readonly reason: string }>;
  remove(): void;
}

/** Starts each line of a note. */
const MARK = '# lqe> ';

/** @param name of the saved query, which names the file for the editor */
export function createDraft(name: string, env: NodeJS.ProcessEnv = process.env): Draft {
  const folder = mkdtempSync(join(tmpdir(), 'lqe-edit-'));
  const file = join(folder, `${/^[a-z0-9_.-]{1,128}$/.test(name) ? name : 'definition'}.yaml`);
  return {
    file,
    edit: async (text, notes) => {
      writeFileSync(file, withNotes(text, notes), { mode: 0o600 });
      const failure = await runEditor(env.VISUAL || env.EDITOR || 'vi', file);
      if (failure !== null) return { reason: failure };
      const read = decode(file, readFileSync(file));
      return 'text' in read ? { text: withoutNotes(read.text) } : { reason: `The text ${read.reason}.` };
    },
    remove: () => rmSync(dirname(file), { recursive: true, force: true }),
  };
}

function withNotes(text: string, notes: readonly string[]): string {
  const lines = notes.flatMap((note) => printable(note).split('\n'));
  return lines.map((line) => `${MARK}${line}`.trimEnd() + '\n').join('') + text;
}

/** Removes the notes on top. */
function withoutNotes(text: string): string {
  return text.replace(/^(?:# lqe>[^\n]*(?:\n|$))+/, '');
}

/** @param editor a command of the shell, which may have arguments, as for git */
async function runEditor(editor: string, file: string): Promise<string | null> {
  const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, editor, file], { stdio: 'inherit' });
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return code === 0 ? null : `The editor (${editor}) ended with ${signal ?? `exit code ${code}`}.`;
  } catch (error) {
    return `The editor (${editor}) cannot be started: ${toError(error).message}.`;
  }
}
