/** The OpenTelemetry SDK for Python, the packages of tests/shippers/opentelemetry/sdk-python. */
import path from 'node:path';
import { describeShipper } from '../support/describe-shipper';
import { programOf } from '../support/programs';
import { SDK_TIMEOUT_SECONDS, startSdk } from '../support/sdk';

const SDK = {
  command: [programOf('PYTHON'), path.join(__dirname, 'sdk-python', 'send.py')],
  timeout: SDK_TIMEOUT_SECONDS,
};

describeShipper({
  name: 'OpenTelemetry SDK for Python',
  identity: 'distinctive',
  patienceMs: 60_000,
  start: (target) => startSdk(SDK, target),
});
