/** Lines of the loggers pino, bunyan, slog, logrus and zap: `{"level":…,"time":…,"msg":"…"}`, of zap `ts`. */
import { Token } from './json-token';
import type { JsonNode } from './json-tree';

export interface LoggerLine {
  readonly time: JsonNode;
  readonly message: string;
}

/** @returns null for an object without these three members, or with a `msg` that is no text */
export function loggerLineOf(members: ReadonlyMap<string, JsonNode>): LoggerLine | null {
  const message = members.get('msg');
  const time = members.get('time') ?? members.get('ts');
  if (message?.token !== Token.string || time === undefined || !members.has('level')) return null;
  return { time, message: message.text };
}
