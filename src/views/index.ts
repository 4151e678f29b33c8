export { viewRoutes } from './routes.ts';
export { eraseFromViews } from './service.ts';
