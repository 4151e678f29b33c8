import type { ContactFile } from '../api.ts';
import { ButtonLink } from '../parts/button/button.tsx';
import { Notice } from '../parts/message/notice.tsx';
import { ProgressBar } from '../parts/page/progress-bar.tsx';
import { describeFault } from './files.ts';
import { RemoveFile } from './remove-file.tsx';
import { texts } from './texts.ts';

/** The first step: the service reads the file, or says why it cannot. */
export function FileStep({ file }: { file: ContactFile }) {
  if (file.status === 'checking')
    return <ProgressBar label={texts.steps.file} text={texts.file.checking} />;
  return (
    <>
      <Notice look="error" title={texts.file.unreadable}>
        {describeFault(file)}
      </Notice>
      <div className="import-buttons">
        <RemoveFile file={file} />
        <ButtonLink to="/import" look="filled">
          {texts.file.another}
        </ButtonLink>
      </div>
    </>
  );
}
