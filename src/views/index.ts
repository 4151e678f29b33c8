export { viewRoutes } from './routes.ts';
export { eraseFromViews, listViewsNaming } from './service.ts';
