/** gRPC services of go-plugin for starting and stopping a plugin. */
import {
  type sendUnaryData,
  type Server,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js';
import type { Lifetime } from './lifetime';
import { serviceDefinition } from './service-definition';

const SERVING = 1;
/** Service names in Grafana's health checks: `plugin` for the plugin as a whole, empty for the process. */
const HEALTH_SERVICES = ['', 'plugin'];

type Call<T> = ServerUnaryCall<T, object>;
type StreamCall<T> = ServerWritableStream<T, object>;

export function addGoPluginServices(server: Server, lifetime: Lifetime): void {
  server.addService(serviceDefinition('grpc.health.v1.Health'), {
    Check: (call: Call<{ service: string }>, answer: sendUnaryData<object>) => {
      if (HEALTH_SERVICES.includes(call.request.service)) answer(null, { status: SERVING });
      else answer({ code: status.NOT_FOUND, details: 'There is no such service.' });
    },
    Watch: (call: StreamCall<{ service: string }>) => {
      if (!HEALTH_SERVICES.includes(call.request.service))
        return call.destroy(Object.assign(new Error('There is no such service.'), { code: status.NOT_FOUND }));
      call.write({ status: SERVING });
      holdOpen(call);
    },
  });
  server.addService(serviceDefinition('plugin.GRPCStdio'), {
    StreamStdio: (call: StreamCall<object>) => {
      const leave = lifetime.hostArrived();
      holdOpen(call, leave);
    },
  });
  server.addService(serviceDefinition('plugin.GRPCBroker'), {
    StartStream: (call: ServerDuplexStream<object, object>) => {
      call.on('data', () => undefined);
      call.on('end', () => call.end());
      call.on('error', () => undefined);
    },
  });
  server.addService(serviceDefinition('plugin.GRPCController'), {
    Shutdown: (_call: Call<object>, answer: sendUnaryData<object>) => {
      answer(null, {});
      lifetime.stop('the host asked for it');
    },
  });
}

/** Stream that never sends; it ends when the caller cancels it. */
function holdOpen(
  call: StreamCall<never> | StreamCall<object> | StreamCall<{ service: string }>,
  onEnd?: () => void
): void {
  call.on('cancelled', () => {
    onEnd?.();
    call.end();
  });
  call.on('error', () => undefined);
}
