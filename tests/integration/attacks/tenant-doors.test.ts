/** Senders of one tenant that name another, on the embedded store. */
import { describeTenantDoors } from './tenant-doors-suite';

describeTenantDoors(async () => ({}));
