import { api } from '../../api.ts';
import { createUploadApi } from './upload-api.ts';

/** The media types of pictures that the service accepts, for a file input. */
export const PICTURE_TYPES = 'image/jpeg,image/png,image/webp,image/avif';

/** Uploads a picture, and returns its row. `onProgress` gets the number of bytes that are sent. */
export function uploadPicture(file: File, onProgress?: (sentBytes: number) => void) {
  const sender = onProgress === undefined ? api : createUploadApi(onProgress);
  return sender.POST('/media', {
    // The generated types declare a binary body as a string.
    body: file as unknown as string,
    bodySerializer: (body: unknown) => body as Blob,
    headers: { 'Content-Type': file.type === '' ? 'application/octet-stream' : file.type },
  });
}
