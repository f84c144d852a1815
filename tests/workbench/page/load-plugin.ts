/** Loads the built module.js as Grafana does: an AMD module, through SystemJS, with the host's own copies of what it asks for. */
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
import 'systemjs/dist/system.js';
import 'systemjs/dist/extras/amd.js';

declare const System: {
  addImportMap(map: { imports: Record<string, string> }): void;
  set(url: string, module: object): void;
  import(url: string): Promise<{ plugin: data.DataSourcePlugin<never> }>;
};

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

export async function loadPlugin(url: string): Promise<data.DataSourcePlugin<never>> {
  const place = (name: string) => `${location.origin}/handed/${name}`;
  System.addImportMap({ imports: Object.fromEntries(Object.keys(HANDED).map((name) => [name, place(name)])) });
  for (const [name, module] of Object.entries(HANDED)) System.set(place(name), module);
  return (await System.import(url)).plugin;
}
