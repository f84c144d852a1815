/**
 * `lqe endpoints create`: new saved queries from files, or from standard input. All are checked before the first is
 * made.
 */
import { isRecord } from '#contract/records';
import { formatDefinition } from '../../../catalog/saved-queries/definition-text';
import { type CommandContext, EXIT_CODES, type ExitCode, failWith } from '../command';
import { checkOnServer } from '../definition/check-on-server';
import { type DefinitionFile, type FileProblem, problemAt } from '../definition/local-definition';
import { decode, readLocals, readTextFile } from '../folder/read-folder';
import { carryOut } from '../plan/carry-out';
import { makePlan } from '../plan/make-plan';
import { orderSteps } from '../plan/order-steps';
import type { StoredQuery } from '../remote/read-texts';
import { readStdin } from '../../output/read-stdin';
import { toError } from '../../../common/caught-error';

export async function create(
  { remote, terminal }: CommandContext,
  files: readonly string[],
  flags: { readonly message?: string }
): Promise<ExitCode> {
  const texts: (DefinitionFile | FileProblem)[] = [];
  for (const file of files) texts.push(await readDefinitionFile(file));
  const unreadable = texts.filter((each): each is FileProblem => 'reason' in each);
  const { locals, problems } = readLocals(texts.filter((each): each is DefinitionFile => 'text' in each));
  if (unreadable.length + problems.length > 0) return failWith([...unreadable, ...problems], terminal);
  const served = await remote.list();
  const elsewhere = served.filter(({ origin }) => origin === 'file');
  // Without their texts, which are not compared: all of them are in use.
  const stored = served.filter(({ origin }) => origin === 'api').map((query): StoredQuery => ({ ...query, text: '' }));
  const { plan, problems: taken } = makePlan(locals, { stored, elsewhere }, false);
  const inUse = plan.changes.flatMap((change) =>
    change.kind === 'update'
      ? [
          problemAt(
            change.local.file,
            change.local.loaded.positionOfKey('name'),
            `the saved query "${change.served.name}" exists; use edit, or apply for a folder`
          ),
        ]
      : []
  );
  const found = [...taken, ...inUse];
  if (found.length > 0) return failWith(found, terminal);
  const refused = await checkOnServer(remote, locals);
  if (refused.length > 0) return failWith(refused, terminal);
  await carryOut(orderSteps(plan.changes, served).steps, remote, { terminal, message: flags.message });
  return EXIT_CODES.done;
}

/** JSON becomes YAML, as on the server. */
async function readDefinitionFile(file: string): Promise<DefinitionFile | FileProblem> {
  const read = file === '-' ? decode('standard input', await readStdin()) : readTextFile(file);
  if ('reason' in read || !(/\.json$/i.test(file) || (file === '-' && /^\s*\{/.test(read.text)))) return read;
  try {
    const value: unknown = JSON.parse(read.text);
    if (isRecord(value)) return { file: read.file, text: formatDefinition(value) };
    return problemAt(read.file, { line: 1, column: 1 }, 'must be a JSON object with the fields of a definition');
  } catch (error) {
    return problemAt(read.file, { line: 1, column: 1 }, `is not valid JSON: ${toError(error).message}`);
  }
}
