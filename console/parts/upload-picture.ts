import { api, createUploadApi } from '../api.ts';

/** The types of pictures that the service takes, for a file input. */
export const PICTURE_TYPES = 'image/jpeg,image/png,image/webp,image/avif';

/** Sends a picture, and returns how it is stored. `onProgress` hears how many of its bytes are sent. */
export function uploadPicture(file: File, onProgress?: (sentBytes: number) => void) {
  const sender = onProgress === undefined ? api : createUploadApi(onProgress);
  return sender.POST('/media', {
    // The schema has the body of a file as a text.
    body: file as unknown as string,
    bodySerializer: (body: unknown) => body as Blob,
    headers: { 'Content-Type': file.type === '' ? 'application/octet-stream' : file.type },
  });
}
