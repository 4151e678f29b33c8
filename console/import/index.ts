export { ImportPage as default } from './import-page.tsx';
