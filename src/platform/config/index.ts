export { readCertificates, readNamedFile } from './certificates.ts';
export { buildLocalUrl, printConfig, readConfig, type Config } from './config.ts';
export { ROOT, version } from './installation.ts';
export { describeUnknownSettings } from './unknown-settings.ts';
export { ConfigError, FlagError } from './values.ts';
