/** What a rule is, and what all of them need to read and to damage a package. */
import type { FileTree, TreeFile } from '../file-tree';
import type { PluginPackage } from '../make-package';

export interface Rule {
  /** As Grafana's plugin validator names it; `own` for rules of this project. */
  readonly name: string;
  readonly title: string;
  /** What is wrong, one text for each problem. */
  problems(pluginPackage: PluginPackage): readonly string[];
  /** A package with the mistake that the rule finds. */
  damage(pluginPackage: PluginPackage): PluginPackage;
}

/** The parts of plugin.json that rules read. */
export interface Manifest {
  id: string;
  name: string;
  type: string;
  backend?: boolean;
  alerting?: boolean;
  executable?: string;
  includes?: { type: string; path?: string }[];
  info: {
    description?: string;
    version: string;
    updated: string;
    keywords: string[];
    logos: { small: string; large: string };
    links?: { name: string; url: string }[];
    screenshots?: { name: string; path: string }[];
  };
  dependencies: { grafanaDependency: string; plugins?: { id: string; name: string; type: string }[] };
}

export const rootOf = ({ archive }: PluginPackage): string => [...archive.keys()][0]!.split('/')[0]!;

/** A file beside plugin.json. */
export function fileOf(pluginPackage: PluginPackage, name: string): TreeFile | undefined {
  return pluginPackage.archive.get(`${rootOf(pluginPackage)}/${name}`);
}

export function textOf(pluginPackage: PluginPackage, name: string): string {
  return fileOf(pluginPackage, name)?.read().toString('utf8') ?? '';
}

export function manifestOf(pluginPackage: PluginPackage): Manifest {
  return JSON.parse(textOf(pluginPackage, 'plugin.json')) as Manifest;
}

/** @param content null: the file is missing */
export function withFile(
  pluginPackage: PluginPackage,
  name: string,
  content: string | Buffer | null,
  mode = 0o100644
): PluginPackage {
  return withArchivePath(pluginPackage, `${rootOf(pluginPackage)}/${name}`, content, mode);
}

/** @param name with the root folder */
export function withArchivePath(
  pluginPackage: PluginPackage,
  name: string,
  content: string | Buffer | null,
  mode = 0o100644
): PluginPackage {
  return { ...pluginPackage, archive: replaced(pluginPackage.archive, name, content, mode) };
}

export function withManifest(pluginPackage: PluginPackage, change: (manifest: Manifest) => void): PluginPackage {
  const manifest = manifestOf(pluginPackage);
  change(manifest);
  return withFile(pluginPackage, 'plugin.json', JSON.stringify(manifest));
}

export function withSource(pluginPackage: PluginPackage, name: string, content: string | null): PluginPackage {
  return { ...pluginPackage, project: replaced(pluginPackage.project, name, content, 0o100644) };
}

function replaced(tree: FileTree, name: string, content: string | Buffer | null, mode: number): FileTree {
  const files = new Map(tree);
  if (content === null) files.delete(name);
  else files.set(name, { mode, read: () => Buffer.from(content) });
  return files;
}

/** Problems as a list from a condition. */
export const unless = (isFine: boolean, problem: string): readonly string[] => (isFine ? [] : [problem]);
