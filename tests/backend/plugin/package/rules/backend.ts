/** Rules for the program that Grafana starts. */
import { EXECUTABLE, PLUGIN_ID } from '#contract/plugin/plugin';
import { PLATFORM } from '../make-package';
import { fileOf, manifestOf, type Rule, rootOf, unless, withFile, withManifest } from './rule';

const SUFFIX = PLATFORM.startsWith('windows_') ? '.exe' : '';

/** Files with any text after this name count as executables. */
const executables = (pluginPackage: Parameters<Rule['problems']>[0]): string[] => {
  const start = `${rootOf(pluginPackage)}/${manifestOf(pluginPackage).executable}`;
  return [...pluginPackage.archive.keys()].filter((name) => name.startsWith(start));
};

export const BACKEND_RULES: readonly Rule[] = [
  {
    name: 'backend-found-but-not-declared, alerting-found-but-backend-false',
    title: 'a plugin with an executable and alerting is declared to have a backend',
    problems: (pluginPackage) => {
      const { backend, alerting, executable } = manifestOf(pluginPackage);
      return unless(
        backend === true && alerting === true && Boolean(executable),
        JSON.stringify({ backend, alerting })
      );
    },
    damage: (pluginPackage) => withManifest(pluginPackage, (manifest) => (manifest.backend = false)),
  },
  {
    name: 'own',
    title: 'plugin.json has the names that the code has',
    problems: (pluginPackage) => {
      const { id, executable } = manifestOf(pluginPackage);
      return unless(id === PLUGIN_ID && executable === EXECUTABLE, `${id} ${executable}`);
    },
    damage: (pluginPackage) => withManifest(pluginPackage, (manifest) => (manifest.executable = 'gpx_other')),
  },
  {
    name: 'backend-binary-missing, binary-executable-found',
    title: 'the only executable is that of the platform',
    problems: (pluginPackage) => {
      const wanted = `${rootOf(pluginPackage)}/${manifestOf(pluginPackage).executable}_${PLATFORM}${SUFFIX}`;
      const found = executables(pluginPackage);
      return unless(found.length === 1 && found[0] === wanted, found.join(', '));
    },
    damage: (pluginPackage) => withFile(pluginPackage, `${EXECUTABLE}.cjs`, '', 0o100755),
  },
  {
    name: 'binary-executable-permissions',
    title: 'files that start with the name of the executable have the mode 0755',
    problems: (pluginPackage) =>
      executables(pluginPackage).filter((name) => (pluginPackage.archive.get(name)!.mode & 0o777) !== 0o755),
    damage: (pluginPackage) => withFile(pluginPackage, `${EXECUTABLE}_linux_amd64`, '', 0o100775),
  },
  {
    name: 'own',
    title: 'the licenses of what is packed are packed too',
    problems: (pluginPackage) =>
      ['rt/LICENSE', 'backend.cjs.LEGAL.txt'].filter((name) => fileOf(pluginPackage, name) === undefined),
    damage: (pluginPackage) => withFile(pluginPackage, 'rt/LICENSE', null),
  },
];
