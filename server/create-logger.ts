/** The log of the server: JSON lines without access tokens, whatever a caller wrote one into. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { hideTokenTexts } from './tokens/token-text';

/** @param destination standard output when absent */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: null, hooks: { streamWrite: hideTokenTexts } };
  return destination ? pino(options, destination) : pino(options);
}
