/**
 * Attacks through the tools of agents, on the embedded store.
 *
 * @slow 20
 */
import { describeAgentAttacks } from './attack-suite';

describeAgentAttacks(async () => ({}));
