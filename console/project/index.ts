export { ProjectPage as default } from './project-page.tsx';
