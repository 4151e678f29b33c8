export { Contacts as default } from './contacts.tsx';
