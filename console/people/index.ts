export { People as default } from './people.tsx';
