import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { uploadContactFile, type ContactFile } from '../api.ts';
import { showToast } from '../parts/message/toast.tsx';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { createUploadApi } from '../parts/upload/upload-api.ts';
import { useSession } from '../session/session.tsx';
import { writeDraft } from '../parts/draft/draft.ts';
import { chooseFile } from './choose-file.ts';
import { useShownFile } from './files.ts';
import { planName } from './plan.ts';
import { texts } from './texts.ts';

type UploadState =
  | { step: 'none' }
  | { step: 'looking'; name: string }
  | { step: 'sending'; name: string; percent: number; bytes: number }
  | { step: 'refused'; name: string; reason: string };

/** Uploads a file. When the person has left the page before the end, a toast with a link to the file replaces `onDone`. */
export function useUpload(onDone: (file: ContactFile) => void) {
  const [state, setState] = useState<UploadState>({ step: 'none' });
  const [, navigate] = useLocation();
  const { userId } = useSession();
  const showFile = useShownFile();
  const abort = useRef<AbortController>(undefined);
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);

  async function send(file: File, isOneOfSeveral: boolean): Promise<void> {
    const { name } = file;
    const refuse = (reason: string) => setState({ step: 'refused', name, reason });
    if (isOneOfSeveral) return refuse(texts.file.several);
    setState({ step: 'looking', name });
    const controller = new AbortController();
    abort.current = controller;
    try {
      const chosen = await chooseFile(file);
      if (chosen.refusal !== undefined) return refuse(chosen.refusal);
      const uploaded = await uploadFile(file, chosen.contentType, controller.signal, (percent) =>
        setState({ step: 'sending', name, percent, bytes: file.size }),
      );
      if (chosen.isGuess) {
        const plan = JSON.stringify({ isGuessed: true });
        writeDraft(userId, planName(uploaded.id), plan);
      }
      showFile(uploaded);
      if (isHere.current) onDone(uploaded);
      else
        showToast({
          text: texts.file.uploaded(name),
          action: { label: texts.file.show, onAction: () => navigate(`/import/${uploaded.id}`) },
        });
    } catch (error) {
      if (controller.signal.aborted) setState({ step: 'none' });
      else refuse(describeProblem(error));
    }
  }

  return { state, send, cancel: useCallback(() => abort.current?.abort(), []) };
}

async function uploadFile(
  file: File,
  contentType: string,
  signal: AbortSignal,
  onPercent: (percent: number) => void,
): Promise<ContactFile> {
  const api = createUploadApi((sent, total) =>
    onPercent(total === 0 ? 0 : Math.floor((sent / total) * 100)),
  );
  return uploadContactFile(api, { name: file.name, body: file, contentType, signal });
}
