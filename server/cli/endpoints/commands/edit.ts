/**
 * `lqe endpoints edit`: the text of a saved query in an editor. It is checked before it is stored; when it is refused,
 * or changed by another request since then, the person goes on editing. The person's text is never lost.
 */
import { type CommandContext, EXIT_CODES, type ExitCode } from '../command';
import { checkOnServer, isAboutDefinition, problemIn } from '../definition/check-on-server';
import {
  type FileProblem,
  formatFileProblem,
  isLocal,
  type LocalDefinition,
  readLocal,
} from '../definition/local-definition';
import { formatDiff } from '../diff/format-diff';
import { mergeLines } from '#contract/lines/merge-lines';
import { createDraft, type Draft } from '../edit/draft';
import type { RevisionText } from '../../remote/answers';
import { isConflict, type RemoteQueries } from '../remote/remote-queries';
import { printable, type Terminal } from '../../output/terminal';

interface Edited {
  /** Revision that the text is made from. */
  readonly base: RevisionText;
  readonly text: string;
  /** Shown on top of the text in the editor. */
  readonly notes: readonly string[];
}

/** @param draft file and editor @default a temporary file, and $VISUAL or $EDITOR */
export async function edit(
  { remote, terminal }: CommandContext,
  name: string,
  flags: { readonly message?: string },
  draft?: Draft
): Promise<ExitCode> {
  const served = await remote.read(name);
  if (served.origin === 'file')
    throw new Error(`${printable(served.name)} is managed in a file of the server. Change that file.`);
  if (!draft && !terminal.isInteractive && !(process.env.VISUAL || process.env.EDITOR))
    throw new Error(
      'There is no terminal to edit in. Set VISUAL or EDITOR to a program that edits the file it is given.'
    );
  const base = await remote.revision(served.id, served.revision);
  const file = draft ?? createDraft(served.name);
  try {
    const isStored = await editUntilStored({ base, text: textOf(base), notes: [] }, file, {
      remote,
      terminal,
      message: flags.message,
    });
    file.remove();
    return isStored ? EXIT_CODES.done : EXIT_CODES.failed;
  } catch (error) {
    terminal.warn(`Your text is kept in ${file.file}`);
    throw error;
  }
}

interface EditContext extends CommandContext {
  readonly message: string | undefined;
}

/** @returns whether there is nothing left to do. @throws Error when the text was not stored and must be kept */
async function editUntilStored(start: Edited, draft: Draft, context: EditContext): Promise<boolean> {
  const { terminal } = context;
  for (let edited = start; ;) {
    const result = await draft.edit(edited.text, edited.notes);
    if ('reason' in result) throw new Error(`${result.reason} Nothing was changed.`);
    const { text } = result;
    if (text === textOf(edited.base)) {
      terminal.print('The text was not changed.');
      return true;
    }
    if (text.trim() === '') throw new Error('Nothing was changed: the text is empty.');
    const next = await store({ ...edited, text }, draft, context);
    if (next === null) return true;
    for (const note of next.notes) terminal.warn(printable(note));
    if (!(await wantsToGoOn(terminal))) throw new Error('Nothing was changed.');
    edited = next;
  }
}

/** @returns null when the text was stored, else what to edit next */
async function store(
  { base, text }: Edited,
  draft: Draft,
  { remote, terminal, message }: EditContext
): Promise<Edited | null> {
  const local = readLocal({ file: draft.file, text });
  if (!isLocal(local)) return { base, text, notes: notesOf(local) };
  const problems = await checkOnServer(remote, [local]);
  if (problems.length > 0) return { base, text, notes: notesOf(problems) };
  try {
    const { name, revision } = await remote.replace(base.id, base.revision, text, message);
    terminal.print(`Stored ${printable(name)} as revision ${revision}.`);
    return null;
  } catch (error) {
    if (isConflict(error)) return mergeOther(base, local, remote);
    if (isAboutDefinition(error)) return { base, text, notes: notesOf([problemIn(local, error)]) };
    throw error;
  }
}

/** Problems with the lines that they have below the notes. */
function notesOf(problems: readonly FileProblem[]): readonly string[] {
  const height = problems.map(formatFileProblem).join('\n').split('\n').length;
  return problems.map((problem) => formatFileProblem({ ...problem, line: problem.line + height }));
}

/** Puts the person's changes on top of the new revision. Lines that both changed are marked. */
async function mergeOther(base: RevisionText, { text }: LocalDefinition, remote: RemoteQueries): Promise<Edited> {
  const { revision } = await remote.read(base.id);
  const other = await remote.revision(base.id, revision);
  const nameOf = (each: RevisionText): string => `revision ${each.revision}, ${each.by}`;
  const difference = formatDiff(
    { name: nameOf(base), text: textOf(base) },
    { name: nameOf(other), text: textOf(other) },
    false
  );
  const merged = mergeLines(textOf(base), text, textOf(other), { ours: 'yours', theirs: nameOf(other) });
  const advice = merged.hasConflicts
    ? 'Both changed the same lines: choose between <<<<<<< and >>>>>>>.'
    : 'Your changes were put on top of it. Save to store them.';
  return {
    base: other,
    text: merged.text,
    notes: [`It was changed by another request: ${nameOf(other)}. ${advice}`, difference],
  };
}

async function wantsToGoOn(terminal: Terminal): Promise<boolean> {
  if (!terminal.isInteractive) return false;
  return !/^n(o)?$/i.test(await terminal.ask('Go on editing? [Y/n] '));
}

function textOf({ yaml }: RevisionText): string {
  return yaml ?? '';
}
