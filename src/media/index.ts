export {
  isPictureName,
  placeFile,
  readPictureFiles,
  removeAccountFiles,
  removeFile,
  requireWritable,
} from './folder.ts';
export { mediaRoutes } from './public-routes.ts';
export { pictureRoutes } from './routes.ts';
export { findMissingPictures, mediaNotFound, requirePictures, type WrittenKey } from './service.ts';
export { listAllPictures, readSizes, type PictureSize } from './store.ts';
export { sweepPictures } from './sweep.ts';
