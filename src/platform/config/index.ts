export {
  ConfigError,
  FlagError,
  localUrl,
  printConfig,
  readConfig,
  type Config,
} from './config.ts';
export { version } from './version.ts';
