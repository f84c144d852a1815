/** Rules for the documents beside plugin.json. */
import { manifestOf, type Rule, textOf, unless, withFile } from './rule';

/** What a text must have to be the Apache License 2.0 as a whole. */
const LICENSE_PARTS = [
  'Apache License',
  'Version 2.0, January 2004',
  'TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION',
  'Grant of Patent License',
  'Limitation of Liability',
  'END OF TERMS AND CONDITIONS',
];
const LINK = /\[[^\]\n]+\]\(([^)\n]+)\)/g;
const JARGON = ['yarn', 'nodejs'];

const readme = (add: string) => (pluginPackage: Parameters<Rule['damage']>[0]) =>
  withFile(pluginPackage, 'README.md', `${textOf(pluginPackage, 'README.md')}\n${add}\n`);

export const DOCUMENT_RULES: readonly Rule[] = [
  {
    name: 'license-not-provided, license-not-valid',
    title: 'LICENSE is the Apache License 2.0',
    problems: (pluginPackage) => {
      const text = textOf(pluginPackage, 'LICENSE');
      return LICENSE_PARTS.filter((part) => !text.includes(part));
    },
    damage: (pluginPackage) => withFile(pluginPackage, 'LICENSE', 'All rights reserved.'),
  },
  {
    name: 'license-with-generic-text',
    title: 'LICENSE has no placeholders of a template',
    problems: (pluginPackage) => textOf(pluginPackage, 'LICENSE').match(/\{(yyyy|name of copyright owner)\}/g) ?? [],
    damage: (pluginPackage) => withFile(pluginPackage, 'LICENSE', 'Copyright {yyyy} {name of copyright owner}'),
  },
  {
    name: 'missing-readme',
    title: 'README.md says how to install, configure and query',
    problems: (pluginPackage) => {
      const headings: readonly string[] = textOf(pluginPackage, 'README.md').match(/^## .+$/gm) ?? [];
      return ['Features', 'Requirements', 'Install', 'Configure', 'First query', 'Help', 'License'].filter(
        (title) => !headings.includes(`## ${title}`)
      );
    },
    damage: (pluginPackage) => withFile(pluginPackage, 'README.md', null),
  },
  {
    name: 'readme-comment',
    title: 'README.md has no comments',
    problems: (pluginPackage) => textOf(pluginPackage, 'README.md').match(/<!--[^]*?-->/g) ?? [],
    damage: readme('<!-- to do -->'),
  },
  {
    name: 'template-readme',
    title: 'README.md is not that of a template',
    problems: (pluginPackage) =>
      textOf(pluginPackage, 'README.md').match(/grafana [\w ]+ plugin template|%[A-Z_]+%/gi) ?? [],
    damage: readme('# Grafana Data Source Plugin Template'),
  },
  {
    name: 'relative-link',
    title: 'README.md links to absolute addresses only, for pictures too',
    problems: (pluginPackage) =>
      [...textOf(pluginPackage, 'README.md').matchAll(LINK)]
        .map(([, target]) => target!)
        .filter((target) => !/^(https?:\/\/|mailto:|#)/.test(target)),
    damage: readme('![Settings](img/grafana-config.png)'),
  },
  {
    name: 'developer-jargon',
    title: 'README.md is for people who use Grafana, not for developers of the plugin',
    problems: (pluginPackage) => JARGON.filter((word) => textOf(pluginPackage, 'README.md').includes(word)),
    damage: readme('Run yarn.'),
  },
  {
    name: 'missing-changelog',
    title: 'CHANGELOG.md begins with the version of the package',
    problems: (pluginPackage) => {
      const newest = /^## (.+)$/m.exec(textOf(pluginPackage, 'CHANGELOG.md'))?.[1] ?? 'No version';
      return unless(newest === manifestOf(pluginPackage).info.version, newest);
    },
    damage: (pluginPackage) => withFile(pluginPackage, 'CHANGELOG.md', '# Changelog\n\n## Unreleased\n'),
  },
];
