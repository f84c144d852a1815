/**
 * Loads the built module.js as Grafana does: an AMD module, through SystemJS, with the host's own copies of what it
 * asks for.
 */
import * as emotionCss from '@emotion/css';
import * as emotionReact from '@emotion/react';
import * as data from '@grafana/data';
import * as runtime from '@grafana/runtime';
import * as ui from '@grafana/ui';
import lodash from 'lodash';
import moment from 'moment';
import * as react from 'react';
import * as reactDom from 'react-dom';
import * as rxjs from 'rxjs';

/** The loader of Grafana until 10.2, which its runtime package hands out; SystemJS 0.20. */
interface OldLoader {
  registerDynamic(
    name: string,
    dependencies: readonly string[],
    runsNow: boolean,
    body: (require: unknown, exports: unknown, module: { exports: unknown }) => void
  ): void;
  import(url: string): Promise<Loaded>;
}

/** SystemJS 6. */
interface Loader {
  addImportMap(map: { imports: Record<string, string> }): void;
  set(url: string, module: object): void;
  import(url: string): Promise<Loaded>;
}

interface Loaded {
  readonly plugin: data.DataSourcePlugin<never>;
}

const HANDED: Readonly<Record<string, object>> = {
  '@emotion/css': emotionCss,
  '@emotion/react': emotionReact,
  '@grafana/data': data,
  '@grafana/runtime': runtime,
  '@grafana/ui': ui,
  lodash: { default: lodash, ...lodash },
  moment: { default: moment },
  react: { ...react, default: react },
  'react-dom': { ...reactDom, default: reactDom },
  rxjs,
};

const loading = new Map<string, Promise<data.DataSourcePlugin<never>>>();

/** The host loads a plugin once, and keeps its module. */
export function loadPlugin(url: string): Promise<data.DataSourcePlugin<never>> {
  const loaded = loading.get(url) ?? load(url);
  loading.set(url, loaded);
  return loaded;
}

async function load(url: string): Promise<data.DataSourcePlugin<never>> {
  const { SystemJS: old } = runtime as { SystemJS?: OldLoader };
  if (old) {
    for (const [name, module] of Object.entries(HANDED))
      old.registerDynamic(name, [], true, (_require, _exports, made) => (made.exports = module));
    return (await old.import(url)).plugin;
  }
  // These put themselves into the page, where an old loader must not find them.
  await import('systemjs/dist/system.js');
  await import('systemjs/dist/extras/amd.js');
  const { System: loader } = window as unknown as { System: Loader };
  const place = (name: string) => `${location.origin}/handed/${name}`;
  loader.addImportMap({ imports: Object.fromEntries(Object.keys(HANDED).map((name) => [name, place(name)])) });
  for (const [name, module] of Object.entries(HANDED)) loader.set(place(name), module);
  return (await loader.import(url)).plugin;
}
