export { OrganizationPage as default } from './organization-page.tsx';
