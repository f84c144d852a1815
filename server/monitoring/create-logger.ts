/** Logger of the server: JSON lines in which access tokens are masked, wherever they occur. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { hideTokenTexts } from '../catalog/tokens/token-text';

/** @param destination default: standard output */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: null, hooks: { streamWrite: hideTokenTexts } };
  return destination ? pino(options, destination) : pino(options);
}
