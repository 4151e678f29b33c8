import { useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { ProblemError, type Project } from '../api.ts';
import { showToast } from '../parts/message/toast.tsx';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { uploadPicture } from '../parts/upload/upload-picture.ts';
import { projectQuery, sendProject, useShowProject } from '../stock/project-data.ts';
import { texts } from './texts.ts';

export interface Refusal {
  name: string;
  reason: string;
}

interface Progress {
  done: number;
  all: number;
  sentBytes: number;
  totalBytes: number;
}

const PICTURES_MAX_COUNT = 100;

/** Returns the function that uploads pictures one after another, and adds each at the end of the gallery. */
export function useUploads(projectId: string) {
  const queries = useQueryClient();
  const show = useShowProject();
  const [progress, setProgress] = useState<Progress>();
  const [refused, setRefused] = useState<readonly Refusal[]>([]);
  const running = useRef<File[]>(null);
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);

  async function add(key: string): Promise<void> {
    // The project leaves the cache when the person is on other pages for some minutes.
    const project = await queries.ensureQueryData(projectQuery(projectId));
    if (project.galleryImages.some((each) => each.key === key))
      throw new Error(texts.pictures.reasons['twin']);
    show(await appendPicture(project, key));
  }

  async function send(chosen: readonly File[]): Promise<void> {
    // The loop below also sends what is added while it runs.
    if (running.current !== null) return void running.current.push(...chosen);
    const files = [...chosen];
    running.current = files;
    const refusals: Refusal[] = [];
    setRefused([]);
    let before = 0;
    for (const [done, file] of files.entries()) {
      const say = (sent: number): void => {
        const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
        setProgress({ done, all: files.length, sentBytes: before + sent, totalBytes });
      };
      say(0);
      try {
        await add((await uploadPicture(file, say)).data.key);
      } catch (error) {
        refusals.push({ name: file.name, reason: explainRefusal(error) });
      }
      before += file.size;
    }
    running.current = null;
    setProgress(undefined);
    setRefused(refusals);
    const reasons = refusals.map(({ name, reason }) => `${texts.pictures.refused(name)} ${reason}`);
    // The person has left the pictures, and sees no list there.
    if (!isHere.current && reasons.length > 0)
      showToast({ text: reasons.join(' '), look: 'error' });
    const count = files.length - refusals.length;
    if (count > 0) showToast({ text: texts.pictures.added(count) });
  }

  return { progress, refused, dismiss: () => setRefused([]), send };
}

/** Adds a picture at the end of the gallery. After a 412, it adds the picture to the current gallery. */
async function appendPicture(project: Project, key: string): Promise<Project> {
  const own = project.galleryImages.map(({ key: each, alt }) => ({ key: each, alt }));
  if (own.some((each) => each.key === key)) return project;
  if (own.length >= PICTURES_MAX_COUNT) throw new Error(texts.pictures.reasons['tooMany']);
  try {
    return await sendProject(project.id, { galleryImages: [...own, { key }] }, project.etag);
  } catch (error) {
    const isStale = error instanceof ProblemError && error.code === 'precondition_failed';
    const current = isStale ? (error.problem.current as Project | undefined) : undefined;
    if (current === undefined) throw error;
    return appendPicture(current, key);
  }
}

function explainRefusal(error: unknown): string {
  if (error instanceof ProblemError)
    return texts.pictures.reasons[error.code] ?? describeProblem(error);
  const { tooMany, twin } = texts.pictures.reasons;
  const isOurs = error instanceof Error && [tooMany, twin].includes(error.message);
  return isOurs ? error.message : describeProblem(error);
}
