/** `lqe endpoints pull DIR`: writes the saved queries of a server to files, byte for byte. */
import { rmSync } from 'node:fs';
import { type CommandContext, EXIT_CODES, type ExitCode } from '../command';
import { planFolder, writeFile } from '../folder/write-folder';
import { listed } from '../plan/print-plan';
import { readServed } from '../remote/read-served';
import { printable } from '../../output/terminal';

export async function pull(
  { remote, terminal }: CommandContext,
  folder: string,
  flags: { readonly prune?: boolean }
): Promise<ExitCode> {
  const { stored, elsewhere } = await readServed(remote);
  const { written, unchanged, leftOver, twins } = planFolder(folder, stored);
  for (const { file, text, isNew } of written) {
    writeFile(file, text);
    terminal.print(`${isNew ? '+' : '~'} ${printable(file)}`);
  }
  if (flags.prune)
    for (const file of leftOver) {
      rmSync(file);
      terminal.print(`- ${printable(file)}`);
    }
  const removed = flags.prune ? leftOver.length : 0;
  terminal.print(`${written.length} written, ${removed} removed, ${unchanged} unchanged.`);
  if (!flags.prune && leftOver.length > 0)
    terminal.warn(`Not on the server, removed with --prune: ${listed(leftOver)}.`);
  if (twins.length > 0) terminal.warn(`Files that define the same saved queries; remove them: ${listed(twins)}.`);
  if (elsewhere.length > 0)
    terminal.warn(`Managed in files of the server, not written: ${listed(elsewhere.map(({ name }) => name))}.`);
  return EXIT_CODES.done;
}
