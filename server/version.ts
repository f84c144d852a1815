/** The version of the service, that of package.json. */
export const VERSION = '0.1.0';
