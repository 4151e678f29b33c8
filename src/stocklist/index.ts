export { stocklistRoutes } from './routes.ts';
