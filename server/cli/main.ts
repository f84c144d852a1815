#!/usr/bin/env node
/** The command line tool `lqe`. */
import { Command } from 'commander';
import { registerCatalog } from './catalog';
import { registerBackup } from './backup';
import { registerCopy } from './copy';
import { formatFailure } from './format-failure';
import { registerEndpoints } from './endpoints';
import { registerImport } from './import';
import { registerRestore } from './restore';
import { registerStore } from './store';
import { registerToken } from './token';

const program = new Command('lqe')
  .description('Log Query Endpoints: saved queries over logs, served over HTTP')
  .showHelpAfterError('(run lqe --help for usage)');
registerToken(program);
registerCatalog(program);
registerEndpoints(program);
registerImport(program);
registerStore(program);
registerCopy(program);
registerBackup(program);
registerRestore(program);

program.parseAsync().catch((error: unknown) => {
  console.error(`lqe: ${formatFailure(error)}`);
  process.exitCode = 1;
});
