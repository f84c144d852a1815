/** The OpenTelemetry SDK for JavaScript, the packages of tests/shippers/opentelemetry/sdk-js. */
import path from 'node:path';
import { describeShipper } from '../support/describe-shipper';
import { SDK_TIMEOUT_SECONDS, startSdk } from '../support/sdk';

const SDK = {
  command: [process.execPath, path.join(__dirname, 'sdk-js', 'send.mjs')],
  timeout: SDK_TIMEOUT_SECONDS * 1_000,
};

describeShipper({
  name: 'OpenTelemetry SDK for JavaScript',
  identity: 'distinctive',
  patienceMs: 60_000,
  start: (target) => startSdk(SDK, target),
});
