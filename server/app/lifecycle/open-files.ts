/**
 * Connections within the number of files that the process may open (`ulimit -n`). Beyond that number the system closes
 * each new connection, and the process gets no notice.
 */
import { readFileSync } from 'node:fs';
import type { Config } from '../../config';

/** Files that are none of a connection: the log, the engine's pipe, databases, files that requests read. */
const RESERVED = 128;

export interface FittedConfig {
  readonly config: Config;
  /** For the log; null: all connections that the settings allow can be opened. */
  readonly warning: string | null;
}

/** @returns null where the system does not say, and for no limit */
export function readOpenFilesLimit(): number | null {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}

/** @param limit files that the process may open; null: unknown */
export function fitConnections(config: Config, limit: number | null): FittedConfig {
  if (limit === null) return { config, warning: null };
  const { http, syslog } = config;
  const room = Math.max(2, limit - Math.min(RESERVED, Math.floor(limit / 2)));
  const forSyslog = syslog.file === null ? 0 : Math.min(syslog.maxConnections, Math.floor(room / 2));
  const forHttp = Math.min(http.maxConnections, room - forSyslog);
  const lowered = [
    forHttp < http.maxConnections ? [`${forHttp} connections, not ${http.maxConnections} (LQE_MAX_CONNECTIONS)`] : [],
    syslog.file !== null && forSyslog < syslog.maxConnections
      ? [`${forSyslog} of syslog senders, not ${syslog.maxConnections} (LQE_SYSLOG_MAX_CONNECTIONS)`]
      : [],
  ].flat();
  if (lowered.length === 0) return { config, warning: null };
  return {
    config: {
      ...config,
      http: { ...http, maxConnections: forHttp },
      syslog: syslog.file === null ? syslog : { ...syslog, maxConnections: forSyslog },
    },
    warning:
      `The process may open ${limit} files, so it takes at most ${lowered.join(', and ')}. Raise the limit (ulimit -n, ` +
      'LimitNOFILE of systemd), or lower the setting.',
  };
}
