export { Pipeline as default } from './pipeline.tsx';
