/**
 * Converts services of our `.proto` files to gRPC service definitions. The fake Grafana of the tests creates its
 * clients from them.
 */
import type { ServiceDefinition } from '@grpc/grpc-js';
import { parse, Root, type Type } from 'protobufjs';
import goPluginProto from '../proto/go-plugin.proto';
import healthProto from '../proto/health.proto';
import pluginv2Proto from '../proto/pluginv2.proto';

export type ServiceName =
  | 'grpc.health.v1.Health'
  | 'plugin.GRPCBroker'
  | 'plugin.GRPCStdio'
  | 'plugin.GRPCController'
  | 'pluginv2.Data'
  | 'pluginv2.Diagnostics'
  | 'pluginv2.Resource'
  | 'pluginv2.Stream';

let root: Root | undefined;

export function serviceDefinition(name: ServiceName): ServiceDefinition {
  const service = loadRoot().lookupService(name);
  return Object.fromEntries(
    service.methodsArray.map((method) => {
      const request = service.lookupType(method.requestType);
      const response = service.lookupType(method.responseType);
      const definition = {
        path: `/${name}/${method.name}`,
        requestStream: method.requestStream ?? false,
        responseStream: method.responseStream ?? false,
        requestSerialize: (value: object) => encode(request, value),
        requestDeserialize: (bytes: Buffer) => decode(request, bytes),
        responseSerialize: (value: object) => encode(response, value),
        responseDeserialize: (bytes: Buffer) => decode(response, bytes),
      };
      return [method.name, definition];
    })
  );
}

function loadRoot(): Root {
  if (root) return root;
  root = new Root();
  for (const text of [healthProto, goPluginProto, pluginv2Proto]) parse(text, root);
  root.resolveAll();
  return root;
}

/** @param value has the types of `messages.ts`; they need no conversion */
function encode(type: Type, value: object): Buffer {
  const { buffer, byteOffset, byteLength } = type.encode(value).finish();
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** int64 fields are converted to numbers: all are times, counts and ids below 2^53. */
function decode(type: Type, bytes: Buffer): object {
  return type.toObject(type.decode(bytes), {
    longs: Number,
    enums: Number,
    bytes: Buffer,
    defaults: true,
    arrays: true,
    objects: true,
  });
}
