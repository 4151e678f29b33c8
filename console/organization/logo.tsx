import { useId, useState } from 'react';
import type { Organization } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { Notice } from '../parts/message/notice.tsx';
import { Card } from '../parts/page/card.tsx';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { texts as shared } from '../parts/text/texts.ts';
import { PICTURE_TYPES, uploadPicture } from '../parts/upload/upload-picture.ts';
import { useOrganizationEdits } from './organization.ts';
import { texts } from './texts.ts';

/** The logo: it is stored when it is chosen. */
export function Logo({ organization, isOwner }: { organization: Organization; isOwner: boolean }) {
  const { logoImage, displayName } = organization;
  const save = useOrganizationEdits();
  const id = useId();
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState('');

  async function change(makeLogo: () => Promise<Organization['logoImage']>): Promise<void> {
    setSending(true);
    setRefusal('');
    try {
      await save({ logoImage: await makeLogo() }, organization);
    } catch (error) {
      setRefusal(describeProblem(error));
    } finally {
      setSending(false);
    }
  }

  const upload = (file: File) => async () => {
    const { key, url } = (await uploadPicture(file)).data;
    return { key, url };
  };

  return (
    <Card title={texts.logo}>
      <p className="soft">{texts.logoExplain}</p>
      <div className="organization-logo">
        {logoImage === null ? (
          <p>{texts.logoNone}</p>
        ) : (
          <img src={logoImage.url} alt={texts.logoAlt(displayName)} />
        )}
        {isOwner && (
          <>
            <div>
              <input
                id={id}
                type="file"
                accept={PICTURE_TYPES}
                className="organization-file hidden-text"
                disabled={isSending}
                onChange={({ target }) => {
                  const [file] = target.files ?? [];
                  target.value = '';
                  if (file !== undefined) void change(upload(file));
                }}
              />
              <label htmlFor={id} className="button button-plain">
                {texts.chooseLogo}
              </label>
            </div>
            {logoImage !== null && (
              <Button look="bare" isBusy={isSending} onClick={() => void change(async () => null)}>
                {shared.remove}
              </Button>
            )}
          </>
        )}
      </div>
      <p role="status" className={isSending ? undefined : 'hidden-text'}>
        {isSending && texts.uploading}
      </p>
      {refusal !== '' && <Notice look="error">{refusal}</Notice>}
    </Card>
  );
}
