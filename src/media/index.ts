export { removeAccountFiles } from './folder.ts';
export { mediaRoutes } from './public-routes.ts';
export { pictureRoutes } from './routes.ts';
export { requirePictures, sweepLeftFiles, sweepUnused } from './service.ts';
