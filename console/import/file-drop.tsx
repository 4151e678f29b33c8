import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../parts/button/button.tsx';
import { Icon } from '../parts/button/icon.tsx';
import { Notice } from '../parts/message/notice.tsx';
import { ProgressBar } from '../parts/page/progress-bar.tsx';
import { formatBytes } from './format-bytes.ts';
import { texts } from './texts.ts';
import { useUpload } from './upload.ts';
import { useFileDrop } from './use-file-drop.ts';

/** The area where a person drops or chooses a file. It uploads the file at once, then opens its page. */
export function FileDrop() {
  const [, navigate] = useLocation();
  const { state, send, cancel } = useUpload((file) => navigate(`/import/${file.id}`));
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isSending = state.step === 'looking' || state.step === 'sending';
  const wasSending = useRef(false);
  useEffect(() => {
    // The Cancel button, which had the focus, is no longer there.
    if (wasSending.current && !isSending) button.current?.focus();
    wasSending.current = isSending;
  }, [isSending]);

  function choose(files: FileList | null): void {
    const [file, ...others] = files ?? [];
    if (file !== undefined) void send(file, others.length > 0);
  }

  const isOver = useFileDrop((files) => !isSending && choose(files));
  return (
    <section
      className={isOver ? 'import-drop import-drop-over' : 'import-drop'}
      aria-labelledby="import-drop-title"
    >
      <Icon name="upload" />
      <h2 id="import-drop-title">{texts.file.title}</h2>
      {isSending ? (
        <div className="import-drop-progress">
          <p className="import-name">{state.name}</p>
          {state.step === 'looking' ? (
            <ProgressBar label={texts.file.sending} text={texts.file.looking} />
          ) : (
            <ProgressBar
              label={texts.file.sending}
              text={texts.file.sent(state.percent, formatBytes(state.bytes))}
              done={state.percent}
              total={100}
            />
          )}
          <Button onClick={cancel}>{texts.file.cancel}</Button>
        </div>
      ) : (
        <>
          <p className="import-drop-hint">{isOver ? texts.file.dropped : texts.file.drop}</p>
          <button
            ref={button}
            type="button"
            className="button button-filled"
            onClick={() => input.current?.click()}
          >
            {texts.file.choose}
          </button>
          <input
            ref={input}
            type="file"
            hidden
            onChange={(event) => {
              choose(event.target.files);
              // Clear the input, so that the person can choose the same file again after a correction.
              event.target.value = '';
            }}
          />
          <p className="import-drop-about">{texts.file.about}</p>
        </>
      )}
      {state.step === 'refused' && (
        <Notice look="error" title={`${state.name}: ${texts.file.notUploaded}`}>
          {state.reason}
        </Notice>
      )}
    </section>
  );
}
