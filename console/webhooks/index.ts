export { Webhooks as default } from './webhooks.tsx';
