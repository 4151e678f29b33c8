import { API_URL } from '../api.ts';
import { DownloadLink } from '../parts/button/download-link.tsx';
import { texts } from './texts.ts';

/** A link that downloads the refused rows of the latest run of a file. */
export function ReportLink({ fileId }: { fileId: string }) {
  const url = `${API_URL}/contact-files/${encodeURIComponent(fileId)}/report.csv`;
  return <DownloadLink url={url}>{texts.report.csv}</DownloadLink>;
}
