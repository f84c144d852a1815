/** Rules for the layout of the zip file. */
import { PLATFORM } from '../make-package';
import { manifestOf, type Rule, rootOf, unless, withArchivePath, withFile, withManifest } from './rule';

const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;

export const ARCHIVE_RULES: readonly Rule[] = [
  {
    name: 'empty-archive, more-than-one-dir',
    title: 'the archive has one root folder',
    problems: ({ archive }) => {
      const roots = new Set([...archive.keys()].map((name) => name.split('/')[0]!));
      return unless(roots.size === 1, `Root folders: ${[...roots].join(', ')}`);
    },
    damage: (pluginPackage) => withArchivePath(pluginPackage, 'other/file', ''),
  },
  {
    name: 'no-root-dir',
    title: 'no file lies outside of the root folder',
    problems: ({ archive }) => [...archive.keys()].filter((name) => !name.includes('/')),
    damage: (pluginPackage) => withArchivePath(pluginPackage, 'file', ''),
  },
  {
    name: 'no-ident-root-dir',
    title: 'the root folder has the id of the plugin as its name',
    problems: (pluginPackage) => unless(rootOf(pluginPackage) === manifestOf(pluginPackage).id, rootOf(pluginPackage)),
    damage: (pluginPackage) => withManifest(pluginPackage, (manifest) => (manifest.id = 'other-name-datasource')),
  },
  {
    name: 'dist',
    title: 'the root folder has no folder dist',
    problems: ({ archive }) => [...archive.keys()].filter((name) => name.split('/')[1] === 'dist'),
    damage: (pluginPackage) => withFile(pluginPackage, 'dist/module.js', ''),
  },
  {
    name: 'own',
    title: 'the name of the zip file is id, version and platform',
    problems: (pluginPackage) => {
      const { id, info } = manifestOf(pluginPackage);
      return unless(pluginPackage.name === `${id}-${info.version}.${PLATFORM}.zip`, pluginPackage.name);
    },
    damage: (pluginPackage) => ({ ...pluginPackage, name: 'plugin.zip' }),
  },
  {
    name: 'own',
    title: 'all entries are plain files below the root folder',
    problems: ({ archive }) =>
      [...archive]
        .filter(([name, { mode }]) => (mode & FILE_TYPE) !== REGULAR || /(^\/|\\|(^|\/)\.\.(\/|$))/.test(name))
        .map(([name]) => name),
    damage: (pluginPackage) => withFile(pluginPackage, '../outside', ''),
  },
  {
    name: 'wrong-permissions',
    title: 'everyone can read all files',
    problems: ({ archive }) => [...archive].filter(([, { mode }]) => (mode & 0o444) !== 0o444).map(([name]) => name),
    damage: (pluginPackage) => withFile(pluginPackage, 'private', '', 0o100600),
  },
  {
    name: 'backend-debug-file-present',
    title: 'no files of a debugging session are packed',
    problems: ({ archive }) => [...archive.keys()].filter((name) => /(^|\/)(standalone|pid)\.txt$/.test(name)),
    damage: (pluginPackage) => withFile(pluginPackage, 'pid.txt', '1'),
  },
];
