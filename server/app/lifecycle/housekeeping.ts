/**
 * Periodic work: drops events older than the retention of their source and old entries of the audit trail, and writes
 * the last use of tokens.
 */
import { ServiceError } from '#contract/errors';
import type { AppContext } from '../context';
import { describePause } from './clock-guard';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const FLUSH_MS = 30_000;
const RETENTION_TIMEOUT_MS = 300_000;

/** Starts at once. @returns a function that stops the timers */
export function startHousekeeping(ctx: AppContext): () => void {
  const timers = [
    setInterval(() => void deleteByAge(ctx), HOUR_MS),
    setInterval(() => void deleteOnceConfirmed(ctx), MINUTE_MS),
    setInterval(() => void flushTokens(ctx), FLUSH_MS),
  ];
  for (const timer of timers) timer.unref();
  void deleteByAge(ctx);
  return () => timers.forEach(clearInterval);
}

export async function flushTokens({ tokens, logger }: AppContext): Promise<void> {
  try {
    await tokens.flush();
  } catch (error) {
    logger.error({ err: error }, 'the last use of tokens could not be written');
  }
}

/** Logs why it deletes nothing. */
export async function deleteByAge(ctx: AppContext): Promise<void> {
  const { clockGuard, logger } = ctx;
  if (await mayDelete(ctx)) await deleteExpired(ctx);
  else if (clockGuard.paused !== null) logger.warn(describePause(clockGuard.paused));
}

/** Goes on soon after the clock was corrected or confirmed. */
async function deleteOnceConfirmed(ctx: AppContext): Promise<void> {
  if (ctx.clockGuard.paused === null || !(await mayDelete(ctx))) return;
  ctx.logger.info('the clock is as expected again: deletions by age go on');
  await deleteExpired(ctx);
}

async function mayDelete({ clockGuard, logger }: AppContext): Promise<boolean> {
  try {
    return await clockGuard.mayDelete();
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'draining'))
      logger.error({ err: error }, 'the newest event could not be read, so nothing is deleted by age');
    return false;
  }
}

async function deleteExpired(ctx: AppContext): Promise<void> {
  await Promise.all([enforceRetention(ctx), expireAudit(ctx)]);
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
    // The next start deletes them.
    if (error instanceof ServiceError && error.code === 'draining') return;
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
