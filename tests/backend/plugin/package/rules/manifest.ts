/** Rules for plugin.json. */
import semver from 'semver';
import { MANIFEST_SCHEMA } from './manifest-schema';
import { fileOf, manifestOf, type Rule, rootOf, textOf, unless, withFile, withManifest } from './rule';

export const MANIFEST_RULES: readonly Rule[] = [
  {
    name: 'missing-metadata',
    title: 'plugin.json is in the root folder',
    problems: (pluginPackage) => unless(fileOf(pluginPackage, 'plugin.json') !== undefined, 'No plugin.json'),
    damage: (pluginPackage) => withFile(pluginPackage, 'plugin.json', null),
  },
  {
    name: 'nested-plugin-id-in-non-app',
    title: 'no other plugin lies inside of the package',
    problems: (pluginPackage) =>
      [...pluginPackage.archive.keys()].filter(
        (name) => name.endsWith('/plugin.json') && name !== `${rootOf(pluginPackage)}/plugin.json`
      ),
    damage: (pluginPackage) => withFile(pluginPackage, 'nested/plugin.json', '{}'),
  },
  {
    name: 'invalid-metadata',
    title: 'plugin.json follows the schema, with version and date filled in',
    problems: (pluginPackage) =>
      MANIFEST_SCHEMA.safeParse(manifestOf(pluginPackage)).error?.issues.map(
        ({ path, message }) => `${path.join('.')}: ${message}`
      ) ?? [],
    damage: (pluginPackage) => withManifest(pluginPackage, ({ info }) => (info.version = '%VERSION%')),
  },
  {
    name: 'plugin-type-suffix',
    title: 'the id ends with the type',
    problems: (pluginPackage) => {
      const { id, type } = manifestOf(pluginPackage);
      return unless(id.split('-').at(-1) === type, id);
    },
    damage: (pluginPackage) => withManifest(pluginPackage, (manifest) => (manifest.type = 'panel')),
  },
  {
    name: 'invalid-id-format',
    title: 'the id has organization, name and type',
    problems: (pluginPackage) => {
      const { id } = manifestOf(pluginPackage);
      return unless(id.split('-').length >= 3, id);
    },
    damage: (pluginPackage) => withManifest(pluginPackage, (manifest) => (manifest.id = 'logs-datasource')),
  },
  {
    name: 'human-friendly-name',
    title: 'the name is not the id',
    problems: (pluginPackage) => {
      const { id, name } = manifestOf(pluginPackage);
      return unless(name !== '' && name !== id, name);
    },
    damage: (pluginPackage) => withManifest(pluginPackage, (manifest) => (manifest.name = manifest.id)),
  },
  {
    name: 'package-code-version-mismatch, wrong-plugin-version',
    title: 'the version is that of package.json',
    problems: (pluginPackage) => {
      const source = pluginPackage.project.get('package.json')!.read().toString('utf8');
      const { version } = JSON.parse(source) as { version: string };
      return unless(
        semver.valid(version) !== null && manifestOf(pluginPackage).info.version === version,
        `package.json has ${version}`
      );
    },
    damage: (pluginPackage) => withManifest(pluginPackage, ({ info }) => (info.version = '99.0.0')),
  },
  {
    name: 'invalid-grafana-dependency',
    title: 'grafanaDependency is a range of versions',
    problems: (pluginPackage) => {
      const range = manifestOf(pluginPackage).dependencies.grafanaDependency;
      return unless(range !== '' && semver.validRange(range) !== null, range);
    },
    damage: (pluginPackage) =>
      withManifest(pluginPackage, ({ dependencies }) => (dependencies.grafanaDependency = 'ten')),
  },
  {
    name: 'depends-on-single-release, depends-on-patch-releases',
    title: 'grafanaDependency takes the first and the last version that are supported',
    problems: (pluginPackage) => {
      const range = manifestOf(pluginPackage).dependencies.grafanaDependency;
      return ['10.1.5', '11.0.0', '12.4.0', '13.1.1'].filter((version) => !semver.satisfies(version, range));
    },
    damage: (pluginPackage) =>
      withManifest(pluginPackage, ({ dependencies }) => (dependencies.grafanaDependency = '13.1.x')),
  },
  {
    name: 'circular-dependency',
    title: 'the plugin does not depend on itself',
    problems: (pluginPackage) => {
      const { id, dependencies } = manifestOf(pluginPackage);
      return (dependencies.plugins ?? []).filter((plugin) => plugin.id === id).map((plugin) => plugin.id);
    },
    damage: (pluginPackage) =>
      withManifest(pluginPackage, ({ id, type, dependencies }) => (dependencies.plugins = [{ id, name: id, type }])),
  },
  {
    name: 'empty-description, empty-keywords',
    title: 'description and keywords are filled in',
    problems: (pluginPackage) => {
      const { description = '', keywords } = manifestOf(pluginPackage).info;
      return unless(description !== '' && keywords.length > 0, 'Empty');
    },
    damage: (pluginPackage) => withManifest(pluginPackage, ({ info }) => (info.description = '')),
  },
  {
    name: 'own',
    title: 'links have a name and a public https address',
    problems: (pluginPackage) =>
      (manifestOf(pluginPackage).info.links ?? [])
        .filter(({ name, url }) => !name || !/^https:\/\/[\w-]+(\.[\w-]+)+(\/|$)/.test(url))
        .map(({ url }) => url),
    damage: (pluginPackage) =>
      withManifest(pluginPackage, ({ info }) => (info.links = [{ name: 'Help', url: 'docs/grafana.md' }])),
  },
  {
    name: 'own',
    title: 'all included dashboards exist and are JSON with a title',
    problems: (pluginPackage) =>
      (manifestOf(pluginPackage).includes ?? []).flatMap(({ path = '' }) => {
        const text = textOf(pluginPackage, path);
        return unless(text !== '' && Boolean((JSON.parse(text) as { title?: string }).title), path);
      }),
    damage: (pluginPackage) => withFile(pluginPackage, 'dashboards/database.json', null),
  },
];
