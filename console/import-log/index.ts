export { ImportLog as default } from './import-log.tsx';
