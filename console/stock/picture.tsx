/** A key of a picture that was uploaded: those are served in other widths, too. */
const UPLOADED = /^[0-9a-f-]{36}\/[0-9a-f]{64}\./;

interface ShownPicture {
  key: string;
  url: string;
  alt?: string | null;
}

/** Gives the address of a picture in a width that is enough. */
const pictureUrl = ({ key, url }: ShownPicture, width: 320 | 640 | 1280): string =>
  UPLOADED.test(key) ? `${url}?w=${width}` : url;

/** A picture, loaded when it comes near the screen. */
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
