export { SetUp as default } from './set-up.tsx';
