export { DuplicatesPage as default } from './duplicates-page.tsx';
