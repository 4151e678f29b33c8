export { Palette as default } from './palette.tsx';
