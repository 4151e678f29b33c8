export { priceListRoutes } from './routes.ts';
