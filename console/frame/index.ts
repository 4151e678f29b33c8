export { Frame as default } from './frame.tsx';
