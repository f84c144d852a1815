/** Logger of the server: JSON lines in which access tokens are masked, wherever they occur. */
import { isNativeError } from 'node:util/types';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { hideTokenTexts } from '../catalog/tokens/secrets/token-text';
import { sourceStack } from '../common/source-stack';

export function createLogger(level: string, destination: DestinationStream): Logger {
  const options = { level, base: null, hooks: { streamWrite: hideTokenTexts }, serializers: { err: describeError } };
  return pino(options, destination);
}

function describeError(error: unknown): unknown {
  if (!isNativeError(error)) return error;
  const described = stdSerializers.err(error);
  return { ...described, stack: sourceStack(described.stack) };
}
