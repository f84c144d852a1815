/** Commands in documents exist, with the options that they are shown with: those of `lqe`, of npm, and benchmarks. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { registerBackup } from '#server/cli/backup/register-backup';
import { registerCatalog } from '#server/cli/catalog/register-catalog';
import { registerCopy } from '#server/cli/copy/register-copy';
import { registerEndpoints } from '#server/cli/endpoints/register-endpoints';
import { registerImport } from '#server/cli/import/register-import';
import { registerMcp } from '#server/cli/mcp/register-mcp';
import { registerRestore } from '#server/cli/restore/register-restore';
import { registerSources } from '#server/cli/sources/register-sources';
import { registerStore } from '#server/cli/store/register-store';
import { registerToken } from '#server/cli/token/register-token';

const ROOT = join(__dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => !/^docs\/decisions\/|^\.config\/|CHANGELOG/.test(file));

const lqe = new Command('lqe');
for (const register of [
  registerToken,
  registerCatalog,
  registerEndpoints,
  registerImport,
  registerSources,
  registerStore,
  registerCopy,
  registerBackup,
  registerMcp,
  registerRestore,
])
  register(lqe);

const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts);

/** Texts between fences and between backticks, with continued lines joined and without comments. */
function codeOf(text: string): readonly string[] {
  const fences = [...text.matchAll(/^ *```\w*\n([^]*?)^ *```/gm)].map(([, code]) => code!);
  const rest = text.replaceAll(/^ *```[^]*?^ *```/gm, '');
  const spans = [...rest.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
  return [...fences, ...spans].flatMap((code) => code.replaceAll(/\\\n/g, ' ').split('\n'));
}

/** The command after the words, up to the end of the shell's command. */
function commandsOf(document: string, start: RegExp): readonly string[] {
  return codeOf(read(document)).flatMap((line) =>
    [...line.matchAll(start)].map(({ 0: { length }, index }) =>
      line
        .slice(index + length)
        .split(/[|;&#)>`]/)[0]!
        .trim()
    )
  );
}

/** Why `lqe` would refuse the words: an unknown command or option. */
function faultOf(text: string): string | null {
  const words = text.split(/\s+/).filter((word) => word !== '' && word !== '…' && word !== '...');
  let command = lqe;
  while (command.commands.length > 0 && words.length > 0 && !words[0]!.startsWith('-')) {
    const word = words.shift()!;
    const found = command.commands.filter((each) => word.split('|').includes(each.name()));
    if (found.length === 0) return `no command "${word}" in: lqe ${text}`;
    command = found[0]!;
  }
  const flags = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=')[0]!);
  const known = ['--help', '--version', ...command.options.flatMap(({ short, long }) => [short, long])];
  const unknown = flags.find((flag) => !known.includes(flag));
  return unknown === undefined ? null : `no option "${unknown}" in: lqe ${text}`;
}

it.each(documents)('the commands of lqe in %s exist', (document) => {
  const commands = commandsOf(document, /(?<![\w./"-])(?:npx )?lqe (?=[a-z-])|build\/bin\/lqe\.js (?=[a-z-])/g);
  expect(commands.map(faultOf).filter((fault) => fault !== null)).toEqual([]);
});

it.each(documents)('the scripts of npm in %s exist', (document) => {
  const named = commandsOf(document, /\bnpm run (?=[a-z])/g).map((command) => command.split(/\s/)[0]!);
  expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
});
