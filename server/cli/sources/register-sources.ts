/** `lqe sources list|show|apply|history|restore|delete`: sources of a running server, over its HTTP API. */
import type { Command } from 'commander';
import { printable, processTerminal } from '../output/terminal';
import { createManagementClient } from '../remote/management-client';
import { wholeNumber } from '../output/whole-number';
import { addServerOptions, type ServerFlags, targetOf } from '../remote/server-options';
import { applySources } from './apply-sources';
import { listSources, removeSource, showSource } from './current-sources';
import { restoreSource, showHistory } from './earlier-sources';
import { createRemoteSources, type SourcesContext } from './remote-sources';

const HELP = `
The server is that of --url or LQE_URL, the access token that of --token or LQE_TOKEN. Reading needs the scope
endpoints:read, changing sources:write.

Exit codes: 0 done, or nothing to do; 1 failed; 2 there are differences (apply --dry-run).`;

export function registerSources(program: Command): void {
  const sources = program
    .command('sources')
    .description('sources of a running server: list, create, change, restore, delete')
    .addHelpText('after', HELP);
  const add = (name: string, description: string): Command =>
    addServerOptions(sources.command(name).description(description));
  const addChange = (name: string, description: string): Command =>
    add(name, description).option('-m, --message <note>', 'a note for the history');

  add('list', 'list sources with the number and age of their events')
    .option('--json', 'print JSON')
    .action((flags: ServerFlags & { json?: boolean }) => withServer(flags, (context) => listSources(context, flags)));

  add('show', 'print a source as YAML, as it is stored')
    .argument('<name>', 'name, alias or id')
    .option('--revision <number>', 'an earlier revision', wholeNumber)
    .option('--json', 'print JSON')
    .action((name: string, flags: ServerFlags & { revision?: number; json?: boolean }) =>
      withServer(flags, (context) => showSource(context, name, flags))
    );

  addChange('apply', 'create or replace the sources of YAML files; all files are checked first')
    .argument('<files...>', 'YAML of one source, or a list below "sources"; - for standard input')
    .option('--dry-run', 'only check and show what would be done; exit code 2 if there are changes')
    .action((files: string[], flags: ServerFlags & { message?: string; dryRun?: boolean }) =>
      withServer(flags, (context) => applySources(context, files, flags))
    );

  add('history', 'list the revisions of a source, newest first')
    .argument('<name>', 'name, alias or id; a deleted one has its history too')
    .option('--json', 'print JSON')
    .action((name: string, flags: ServerFlags & { json?: boolean }) =>
      withServer(flags, (context) => showHistory(context, name, flags))
    );

  addChange('restore', 'make an earlier revision the newest, also of a deleted source')
    .argument('<name>', 'name, alias or id')
    .argument('<revision>', 'number of the revision', wholeNumber)
    .action((name: string, revision: number, flags: ServerFlags & { message?: string }) =>
      withServer(flags, (context) => restoreSource(context, name, revision, flags))
    );

  addChange('delete', 'delete a source; its events stay in the store')
    .argument('<name>')
    .option('--delete-events', 'delete its events, too, which cannot be undone')
    .option('-y, --yes', 'do not ask')
    .action((name: string, flags: ServerFlags & { yes?: boolean; deleteEvents?: boolean; message?: string }) =>
      withServer(flags, (context) => removeSource(context, name, flags))
    );
}

async function withServer(flags: ServerFlags, run: (context: SourcesContext) => Promise<number>): Promise<void> {
  const terminal = processTerminal();
  const target = targetOf(flags, 'endpoints:read');
  const client = createManagementClient(target, { onWait: (line) => terminal.warn(printable(line)) });
  process.exitCode = await run({ remote: createRemoteSources(client), terminal });
}
