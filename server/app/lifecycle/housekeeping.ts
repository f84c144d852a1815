/**
 * Periodic work: drops events older than the retention of their source and old entries of the audit trail, and writes
 * the last use of tokens.
 */
import type { AppContext } from '../context';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FLUSH_MS = 30_000;
const RETENTION_TIMEOUT_MS = 300_000;

/** Starts at once. @returns a function that stops the timers */
export function startHousekeeping(ctx: AppContext): () => void {
  const timers = [
    setInterval(() => void enforceRetention(ctx), HOUR_MS),
    setInterval(() => void expireAudit(ctx), HOUR_MS),
    setInterval(() => void flushTokens(ctx), FLUSH_MS),
  ];
  for (const timer of timers) timer.unref();
  void enforceRetention(ctx);
  void expireAudit(ctx);
  return () => timers.forEach(clearInterval);
}

export async function flushTokens({ tokens, logger }: AppContext): Promise<void> {
  try {
    await tokens.flush();
  } catch (error) {
    logger.error({ err: error }, 'the last use of tokens could not be written');
  }
}

async function enforceRetention({ engine, clock, logger }: AppContext): Promise<void> {
  try {
    const { dropped } = await engine.call(
      'retention',
      { nowMicros: clock.nowMicros() },
      { timeoutMs: RETENTION_TIMEOUT_MS }
    );
    if (dropped > 0) logger.info({ dropped }, 'dropped parts older than their retention');
  } catch (error) {
    logger.error({ err: error }, 'retention could not be enforced');
  }
}

async function expireAudit({ audit, clock, config, logger }: AppContext): Promise<void> {
  try {
    await audit.expire(new Date(clock.now().getTime() - config.auditDays * DAY_MS));
  } catch (error) {
    logger.error({ err: error }, 'old entries of the audit trail could not be deleted');
  }
}
