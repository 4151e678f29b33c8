export { Tags as default } from './tags.tsx';
