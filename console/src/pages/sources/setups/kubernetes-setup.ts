/** A Collector on each node of a cluster, as docs/shippers.md shows it. */
import { lines, plain, type ShipperTarget, tenantName } from './shipper-target';

const COLLECTOR_HEAD = lines(
  'apiVersion: v1',
  'kind: ConfigMap',
  'metadata:',
  '  name: lqe-collector',
  'data:',
  '  collector.yaml: |',
  '    extensions:',
  '      file_storage:',
  '        directory: /var/lib/lqe-collector',
  '    receivers:',
  '      filelog:',
  '        include: [/var/log/pods/*/*/*.log]',
  '        exclude: [/var/log/pods/*_lqe-collector-*/*/*.log]',
  '        start_at: beginning',
  '        include_file_path: true',
  '        storage: file_storage',
  '        retry_on_failure: { enabled: true }',
  '        operators:',
  '          - type: container',
  '    processors:',
  '      resource:',
  '        attributes:'
);

const COLLECTOR_TAIL = lines(
  '        headers:',
  '          X-API-KEY: ${env:LQE_TOKEN}',
  '        retry_on_failure:',
  '          max_elapsed_time: 0',
  '        sending_queue:',
  '          storage: file_storage',
  '    service:',
  '      extensions: [file_storage]',
  '      pipelines:',
  '        logs:',
  '          receivers: [filelog]',
  '          processors: [resource, batch]',
  '          exporters: [otlphttp]'
);

const DAEMON_SET = lines(
  '---',
  'apiVersion: apps/v1',
  'kind: DaemonSet',
  'metadata:',
  '  name: lqe-collector',
  'spec:',
  '  selector:',
  '    matchLabels: { app: lqe-collector }',
  '  template:',
  '    metadata:',
  '      labels: { app: lqe-collector }',
  '    spec:',
  '      tolerations:',
  '        - operator: Exists',
  '      containers:',
  '        - name: collector',
  '          image: otel/opentelemetry-collector-contrib:0.149.0',
  '          args: [--config=/etc/lqe/collector.yaml]',
  '          env:',
  '            - name: LQE_TOKEN',
  '              valueFrom: { secretKeyRef: { name: lqe-token, key: token } }',
  '            - name: NODE_NAME',
  '              valueFrom: { fieldRef: { fieldPath: spec.nodeName } }',
  '          securityContext: { runAsUser: 0 }',
  '          resources:',
  '            limits: { memory: 512Mi }',
  '          volumeMounts:',
  '            - { name: config, mountPath: /etc/lqe }',
  '            - { name: pods, mountPath: /var/log/pods, readOnly: true }',
  '            - { name: state, mountPath: /var/lib/lqe-collector }',
  '      volumes:',
  '        - name: config',
  '          configMap: { name: lqe-collector }',
  '        - name: pods',
  '          hostPath: { path: /var/log/pods }',
  '        - name: state',
  '          hostPath: { path: /var/lib/lqe-collector, type: DirectoryOrCreate }'
);

export function writeKubernetes(target: ShipperTarget): string {
  const tenant = tenantName(target);
  const attribute = (key: string, value: string): string =>
    `          - { key: ${key}, value: ${plain(value)}, action: upsert }`;
  return lines(
    COLLECTOR_HEAD,
    attribute('lqe.source', target.source),
    tenant && attribute(tenant, target.project),
    "          - { key: k8s.node.name, value: '${env:NODE_NAME}', action: upsert }",
    '      batch:',
    '    exporters:',
    '      otlphttp:',
    `        endpoint: ${target.url}`,
    COLLECTOR_TAIL,
    DAEMON_SET
  );
}
