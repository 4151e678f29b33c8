export { Audit as default } from './audit.tsx';
