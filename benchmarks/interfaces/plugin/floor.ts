/**
 * A plugin that answers every query at once with the same prepared response: what Node and gRPC cost without
 * the backend. It speaks the plugin protocol with the backend's own modules.
 */
import { readFileSync, writeSync } from 'node:fs';
import { type sendUnaryData, Server } from '@grpc/grpc-js';
import { addGoPluginServices } from '#backend/plugin-protocol/go-plugin-services';
import { readLaunchOptions } from '#backend/plugin-protocol/launch';
import { createLifetime } from '#backend/plugin-protocol/lifetime';
import { listen } from '#backend/plugin-protocol/listen';

const STDOUT = 1;
const same = (bytes: Buffer): Buffer => bytes;

async function main(): Promise<void> {
  const prepared = readFileSync(process.env['PREPARED_RESPONSE'] as string);
  const server = new Server({ 'grpc.enable_channelz': 0 });
  addGoPluginServices(
    server,
    createLifetime(() => process.exit(0))
  );
  server.addService(
    {
      QueryData: {
        path: '/pluginv2.Data/QueryData',
        requestStream: false,
        responseStream: false,
        requestSerialize: same,
        requestDeserialize: same,
        responseSerialize: same,
        responseDeserialize: same,
      },
    },
    { QueryData: (_call: unknown, answer: sendUnaryData<Buffer>) => answer(null, prepared) }
  );
  const { handshake, release } = await listen(server, readLaunchOptions(process.env, process.platform));
  process.on('exit', release);
  writeSync(STDOUT, `${handshake}\n`);
}

void main();
