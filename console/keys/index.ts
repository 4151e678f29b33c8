export { Keys as default } from './keys.tsx';
