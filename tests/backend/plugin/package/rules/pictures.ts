/** Rules for logos and screenshots. */
import { extname } from 'node:path';
import { fileOf, type Manifest, manifestOf, type Rule, textOf, unless, withFile, withManifest } from './rule';

const MAX_BYTES = 300_000;
/** First bytes of a file in hex, by its extension. */
const SIGNATURES: Readonly<Record<string, RegExp>> = {
  '.png': /^89504e470d0a1a0a/,
  '.jpg': /^ffd8ff/,
  '.jpeg': /^ffd8ff/,
  '.gif': /^474946383[79]61/,
  '.svg': /^3c(737667|3f786d6c)/,
};
const SCRIPTABLE = ['script', 'iframe', 'foreignObject', 'audio', 'math', 'noscript', 'template', 'handler'];

const logosOf = ({ info }: Manifest): string[] => [info.logos.small, info.logos.large];
const screenshotsOf = ({ info }: Manifest): string[] => (info.screenshots ?? []).map(({ path }) => path);

export const PICTURE_RULES: readonly Rule[] = [
  {
    name: 'logos',
    title: 'the logos are SVG files',
    problems: (pluginPackage) =>
      logosOf(manifestOf(pluginPackage)).filter(
        (path) => extname(path) !== '.svg' || !textOf(pluginPackage, path).includes('<svg')
      ),
    damage: (pluginPackage) => withManifest(pluginPackage, ({ info }) => (info.logos.large = ' ')),
  },
  {
    name: 'screenshots',
    title: 'there are screenshots, each with a name',
    problems: (pluginPackage) => {
      const screenshots = manifestOf(pluginPackage).info.screenshots ?? [];
      return unless(screenshots.length > 0 && screenshots.every(({ name, path }) => name && path.trim()), 'Missing');
    },
    damage: (pluginPackage) => withManifest(pluginPackage, ({ info }) => (info.screenshots = [])),
  },
  {
    name: 'invalid-path, invalid-relative-path, path-relative-to-metadata',
    title: 'paths of pictures are relative and start with a name',
    problems: (pluginPackage) => {
      const manifest = manifestOf(pluginPackage);
      return [...logosOf(manifest), ...screenshotsOf(manifest)].filter((path) => !/^\w[^:]*$/.test(path));
    },
    damage: (pluginPackage) => withManifest(pluginPackage, ({ info }) => (info.logos.small = './img/logo.svg')),
  },
  {
    name: 'path-not-exists',
    title: 'all pictures are in the package',
    problems: (pluginPackage) => {
      const manifest = manifestOf(pluginPackage);
      return [...logosOf(manifest), ...screenshotsOf(manifest)].filter((path) => !fileOf(pluginPackage, path));
    },
    damage: (pluginPackage) => withFile(pluginPackage, 'img/logo.svg', null),
  },
  {
    name: 'screenshots-image-type',
    title: 'screenshots are pictures of the type that their extension says',
    problems: (pluginPackage) =>
      screenshotsOf(manifestOf(pluginPackage)).filter((path) => {
        const start = fileOf(pluginPackage, path)?.read().subarray(0, 8).toString('hex') ?? '';
        return !SIGNATURES[extname(path)]?.test(start);
      }),
    damage: (pluginPackage) => withFile(pluginPackage, 'img/grafana-config.png', 'GIF89a'),
  },
  {
    name: 'own',
    title: 'every picture is below 300 kB',
    problems: ({ archive }) =>
      [...archive]
        .filter(([name, { read }]) => /\.(png|jpe?g|gif|svg)$/.test(name) && read().length > MAX_BYTES)
        .map(([name]) => name),
    damage: (pluginPackage) => withFile(pluginPackage, 'img/large.png', Buffer.alloc(MAX_BYTES + 1)),
  },
  {
    name: 'unsafe-svg-file',
    title: 'SVG files have no scripts, event handlers or references to other places',
    problems: ({ archive }) =>
      [...archive]
        .filter(([name]) => name.endsWith('.svg'))
        .flatMap(([name, { read }]) => {
          const svg = read().toString('utf8');
          const elements = SCRIPTABLE.filter((element) => new RegExp(`<\\s*${element}\\b`, 'i').test(svg));
          const attributes = svg.match(/\son\w+\s*=|href\s*=\s*["'](?!#)/gi) ?? [];
          return [...elements, ...attributes].map((found) => `${name}: ${found.trim()}`);
        }),
    damage: (pluginPackage) =>
      withFile(pluginPackage, 'img/logo.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="run()"/>'),
  },
];
