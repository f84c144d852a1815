/** Adds the services to the gRPC server. A rejected promise is a bug: its details are logged and not sent. */
import {
  type sendUnaryData,
  type Server,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js';
import { textOf } from '../plugin-protocol/log';
import { serviceDefinition } from '../plugin-protocol/service-definition';
import type {
  CallResourceRequest,
  CheckHealthRequest,
  QueryDataRequest,
  StreamPacket,
  StreamRequest,
} from '../proto/messages';
import type { BackendContext } from './backend-context';
import type { GrpcCall } from './call-context';
import { callResource } from './call-resource';
import { checkHealth } from './check-health';
import { collectMetrics } from './collect-metrics';
import { publishStream, runStream, subscribeStream } from './live-tail';
import { queryData } from './query-data';
import { renderFailure } from './render-failure';

type Handler<T> = (backend: BackendContext, request: T, call: GrpcCall) => Promise<object>;

export function addGrafanaServices(server: Server, backend: BackendContext): void {
  const unary = <T>(handler: Handler<T>) => {
    return (call: ServerUnaryCall<T, object>, answer: sendUnaryData<object>) => {
      // gRPC reports the end of every call as a cancellation, and an abort costs as much as the parsing of the query.
      const end: sendUnaryData<object> = (...outcome) => {
        call.removeAllListeners('cancelled');
        answer(...outcome);
      };
      handler(backend, call.request, call).then(
        (value) => end(null, value),
        (error: unknown) => end(internal(backend, error))
      );
    };
  };
  server.addService(serviceDefinition('pluginv2.Data'), { QueryData: unary<QueryDataRequest>(queryData) });
  server.addService(serviceDefinition('pluginv2.Diagnostics'), {
    CheckHealth: unary<CheckHealthRequest>(checkHealth),
    CollectMetrics: unary<object>(collectMetrics),
  });
  server.addService(serviceDefinition('pluginv2.Resource'), {
    CallResource: (call: ServerWritableStream<CallResourceRequest, object>) => {
      callResource(backend, call.request, call).then(
        (value) => {
          call.write(value);
          call.end();
        },
        (error: unknown) => call.destroy(Object.assign(new Error('internal'), internal(backend, error)))
      );
    },
  });
  server.addService(serviceDefinition('pluginv2.Stream'), {
    SubscribeStream: unary<StreamRequest>(subscribeStream),
    PublishStream: unary<StreamRequest>(publishStream),
    RunStream: (call: ServerWritableStream<StreamRequest, StreamPacket>) => {
      runStream(backend, call.request, call).then(
        () => call.end(),
        (error: unknown) => {
          const { userMessage } = renderFailure(error, backend.logger);
          call.destroy(
            Object.assign(new Error(userMessage), { code: status.FAILED_PRECONDITION, details: userMessage })
          );
        }
      );
    },
  });
}

function internal({ logger }: BackendContext, error: unknown): { code: status; details: string } {
  logger.log('error', textOf(error));
  return { code: status.INTERNAL, details: 'Something went wrong in the data source; its log in Grafana says what.' };
}
