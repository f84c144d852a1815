/**
 * The Collector as docs/shippers.md runs it on each node of a cluster, on files as the container runtimes write them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { startChild } from '../support/child';
import { describeShipper } from '../support/describe-shipper';
import { documentedBlock, DOCUMENTED_URL, substitute } from '../support/documented';
import { programOf } from '../support/programs';
import type { RunningShipper, ShipperTarget } from '../support/shipper';

interface ConfigMap {
  readonly kind: 'ConfigMap';
  readonly metadata: { readonly name: string };
  readonly data: { readonly 'collector.yaml': string };
}

interface DaemonSet {
  readonly kind: 'DaemonSet';
  readonly spec: {
    readonly selector: { readonly matchLabels: object };
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly containers: readonly {
          readonly args: readonly string[];
          readonly env: readonly { readonly name: string }[];
          readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
        }[];
        readonly volumes: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[];
      };
    };
  };
}

const [configMap, daemonSet] = parseAllDocuments(documentedBlock('Kubernetes')).map(
  (document) => document.toJS() as unknown
) as [ConfigMap, DaemonSet];
const CONFIG = configMap.data['collector.yaml'];
const { spec } = daemonSet.spec.template;
const [container] = spec.containers;

it('the DaemonSet mounts and sets what the configuration reads', () => {
  expect(daemonSet.spec.template.metadata.labels).toEqual(daemonSet.spec.selector.matchLabels);
  expect(spec.volumes.map(({ name }) => name)).toEqual(container!.volumeMounts.map(({ name }) => name));
  expect(spec.volumes[0]!.configMap).toEqual({ name: configMap.metadata.name });
  const [folder, ...read] = container!.volumeMounts.map(({ mountPath }) => mountPath);
  expect(container!.args).toEqual([`--config=${folder}/collector.yaml`]);
  for (const place of read) expect(CONFIG).toContain(place);
  const variables = [...CONFIG.matchAll(/\$\{env:(\w+)\}/g)].map(([, name]) => name);
  expect(new Set(container!.env.map(({ name }) => name))).toEqual(new Set(variables));
});

async function start({ url, token, folder }: ShipperTarget): Promise<RunningShipper> {
  const at = (name: string): string => path.join(folder, name);
  const pod = at('pods/shop_proxy-7d4b9_0b3a4c52-6d3e-4f0a-9f5e-2f2f7c1d9a10/proxy');
  for (const place of [pod, at('state')]) mkdirSync(place, { recursive: true });
  const places = { [DOCUMENTED_URL]: url, '/var/log/pods': at('pods'), '/var/lib/lqe-collector': at('state') };
  writeFileSync(at('collector.yaml'), substitute(CONFIG, places));
  const child = startChild(programOf('COLLECTOR'), ['--config', at('collector.yaml')], {
    env: { ...process.env, LQE_TOKEN: token, NODE_NAME: 'node-1' },
  });
  await child.says(/Everything is ready/);
  const entry = (line: string): string => `${new Date().toISOString().replace('Z', '123456Z')} stdout F ${line}\n`;
  return {
    log: (lines) => appendFile(path.join(pod, '0.log'), lines.map(entry).join('')),
    end: () => Promise.resolve(),
    stop: () => child.kill(),
    output: () => child.output(),
  };
}

describeShipper({ name: 'Kubernetes, OpenTelemetry Collector', identity: 'distinctive', patienceMs: 60_000, start });
