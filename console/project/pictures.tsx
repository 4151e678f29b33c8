import { useEffect, useRef, useState, type DragEvent } from 'react';
import type { Project } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { useReorder } from '../parts/list/reorder.ts';
import { Notice } from '../parts/message/notice.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { ProgressBar } from '../parts/page/progress-bar.tsx';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { PICTURE_TYPES } from '../parts/upload/upload-picture.ts';
import { useSession } from '../session/session.tsx';
import { keepFocus } from '../parts/keyboard/keep-focus.ts';
import { Picture } from '../stock/picture.tsx';
import type { ProjectChange } from '../stock/project-data.ts';
import { AltText, PictureCard } from './picture-card.tsx';
import { texts } from './texts.ts';
import { useProjectEdits } from './use-project-edits.ts';
import { useUploads } from './use-uploads.ts';
import './pictures.css';

/** The pictures of a project: the main one, and the gallery in its order. */
export function Pictures({ project }: { project: Project }) {
  const { can } = useSession();
  const canWrite = can('projects:write');
  const edit = useProjectEdits(project.id);
  /** Saves a change. Returns whether it is saved. */
  const save = (change: ProjectChange): Promise<boolean> =>
    edit(change, project).then(
      () => true,
      (error: unknown) => {
        showToast({ text: describeProblem(error), look: 'error' });
        return false;
      },
    );
  const { galleryImages, heroImage } = project;
  const { shown, move, handle } = useReorder(
    galleryImages,
    (images) => void save({ galleryImages: images }),
  );

  return (
    <div className="pictures">
      <Hero project={project} canWrite={canWrite} save={save} />
      <section aria-labelledby="pictures-gallery">
        <h2 id="pictures-gallery">{texts.pictures.gallery}</h2>
        {canWrite && <DropZone projectId={project.id} />}
        {galleryImages.length === 0 && !canWrite && <p className="soft">{texts.pictures.empty}</p>}
        <ol className="pictures-list">
          {shown.map((picture, place) => (
            <PictureCard
              key={picture.key}
              picture={picture}
              subject={`${project.id}:${picture.key}`}
              place={place}
              count={shown.length}
              isHero={picture.key === heroImage?.key}
              canWrite={canWrite}
              handle={handle(place)}
              onMove={(to) => move(place, to)}
              onAlt={(alt) =>
                save({
                  galleryImages: galleryImages.map((each) =>
                    each.key === picture.key ? { ...each, alt } : each,
                  ),
                })
              }
              onHero={() => void save({ heroImage: picture })}
              onRemove={() =>
                void save({ galleryImages: galleryImages.filter(({ key }) => key !== picture.key) })
              }
            />
          ))}
        </ol>
      </section>
    </div>
  );
}

interface HeroProps {
  project: Project;
  canWrite: boolean;
  save: (change: ProjectChange) => Promise<boolean>;
}

function Hero({ project: { id, heroImage }, canWrite, save }: HeroProps) {
  return (
    <section className="pictures-hero" aria-labelledby="pictures-hero">
      <h2 id="pictures-hero">{texts.pictures.hero}</h2>
      <p className="soft">{texts.pictures.heroExplain}</p>
      {heroImage === null ? (
        <p className="soft">{texts.pictures.heroEmpty}</p>
      ) : (
        <>
          <Picture picture={heroImage} width={1280} className="pictures-hero-image" />
          <AltText
            key={heroImage.key}
            alt={heroImage.alt ?? null}
            subject={`${id}:hero:${heroImage.key}`}
            label={texts.pictures.hero}
            canWrite={canWrite}
            onAlt={(alt) => save({ heroImage: { ...heroImage, alt } })}
          />
          {canWrite && (
            <Button ref={keepFocus} onClick={() => void save({ heroImage: null })}>
              {texts.pictures.removeHero}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

/** The area where a person drops, pastes or chooses pictures. It shows the progress and the refused ones. */
function DropZone({ projectId }: { projectId: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const { progress, refused, dismiss, send } = useUploads(projectId);

  function take(files: FileList | null): void {
    if (files !== null && files.length > 0) void send([...files]);
  }

  useEffect(() => {
    // A spreadsheet copies a picture of its cells, too: text is never pasted as a picture.
    const paste = ({ clipboardData }: ClipboardEvent): void => {
      if (clipboardData?.types.includes('text/plain') === false) take(clipboardData.files);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  });

  const drop = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer.files);
    },
  };
  return (
    <>
      <div className={isOver ? 'drop-zone drop-zone-over' : 'drop-zone'} {...drop}>
        <p>{texts.pictures.drop}</p>
        <p className="field-hint">{texts.pictures.dropHint}</p>
        <Button icon="upload" onClick={() => input.current?.click()}>
          {texts.pictures.choose}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          accept={PICTURE_TYPES}
          aria-label={texts.pictures.choose}
          onChange={({ target }) => {
            take(target.files);
            target.value = '';
          }}
        />
        {progress !== undefined && (
          <ProgressBar
            label={texts.pictures.gallery}
            text={texts.pictures.progress(progress.done, progress.all)}
            done={progress.sentBytes}
            total={progress.totalBytes}
          />
        )}
      </div>
      {refused.length > 0 && (
        <Notice
          look="error"
          actions={
            <Button ref={keepFocus} onClick={dismiss}>
              {texts.pictures.dismiss}
            </Button>
          }
        >
          <ul>
            {refused.map(({ name, reason }) => (
              <li key={name}>
                {texts.pictures.refused(name)} {reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}
