/** Matches the key of an uploaded picture. The service serves such pictures in several widths. */
const UPLOADED = /^[0-9a-f-]{36}\/[0-9a-f]{64}\./;

interface ShownPicture {
  key: string;
  url: string;
  alt?: string | null;
}

/** Makes the URL of a picture in a sufficient width. */
const pictureUrl = ({ key, url }: ShownPicture, width: 320 | 640 | 1280): string =>
  UPLOADED.test(key) ? `${url}?w=${width}` : url;

/** A picture that is loaded when it is near the screen. */
export function Picture({
  picture,
  width = 640,
  className,
}: {
  picture: ShownPicture;
  width?: 320 | 640 | 1280;
  className?: string;
}) {
  return (
    <img
      src={pictureUrl(picture, width)}
      alt={picture.alt ?? ''}
      className={className}
      loading="lazy"
      decoding="async"
    />
  );
}
