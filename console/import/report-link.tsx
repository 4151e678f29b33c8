import { Icon } from '../parts/button/icon.tsx';
import { ROOT } from '../root.ts';
import { texts } from './texts.ts';

/** A link that downloads the refused rows of the latest run of a file. */
export function ReportLink({ fileId }: { fileId: string }) {
  const url = `${ROOT}/api/v1/contact-files/${encodeURIComponent(fileId)}/report.csv`;
  return (
    <a className="button button-plain" href={url} download>
      <Icon name="download" />
      {texts.report.csv}
    </a>
  );
}
