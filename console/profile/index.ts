export { Profile as default } from './profile.tsx';
