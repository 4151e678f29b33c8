export { Projects as default } from './projects.tsx';
