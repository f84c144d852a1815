/**
 * A tenant that uses up the fields of a source, on the embedded store.
 *
 * @slow 20
 */
import { describeSharedFields } from './shared-fields-suite';

describeSharedFields(() => Promise.resolve({}));
