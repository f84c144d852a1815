/** Senders of one tenant that name another, on the embedded store. */
import { describeTenantProtocols } from './tenant-protocols-suite';

describeTenantProtocols(async () => ({}));
