/** The time, as an argument. */
export interface Clock {
  now(): Date;
  /** Microseconds since 1970. */
  nowMicros(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  nowMicros: () => Date.now() * 1000,
};
