/**
 * The attacks on the embedded store.
 *
 * @slow 75
 */
import { describeAttacks } from './attack-suite';

describeAttacks(async () => ({
  environmentOf: async () => ({}),
  heavyAtOnce: 1,
  countRunning: async () => 0,
  stop: async () => undefined,
}));
