import { type Project } from '../api.ts';
import { useEdits } from '../parts/edit/edit.ts';
import {
  findLastProjectChange,
  projectKey,
  sendProject,
  useShowProject,
  type ProjectChange,
} from '../stock/project-data.ts';
import { fieldText, type DetailName } from './fields.ts';
import { texts } from './texts.ts';

/** Returns the function that saves a change of a project, as `useEdits` does. */
export function useProjectEdits(id: string) {
  const show = useShowProject();
  return useEdits<Project, ProjectChange>({
    queryKey: projectKey(id),
    send: (change, etag) => sendProject(id, toBody(change), etag),
    explain: (change, current) =>
      Object.keys(change).map((name) => ({
        label: texts.fields[name] ?? name,
        theirs: describeValue(current, name),
        mine: describeValue({ ...current, ...change }, name),
      })),
    findLastChange: (change) => findLastProjectChange(id, Object.keys(change)),
    onChange: show,
  });
}

/** Makes the body of a change: the API accepts only the key and the text of a picture. */
function toBody({ heroImage, galleryImages, ...others }: ProjectChange): object {
  return {
    ...others,
    ...(heroImage !== undefined && { heroImage: heroImage && toPicture(heroImage) }),
    ...(galleryImages !== undefined && { galleryImages: galleryImages.map(toPicture) }),
  };
}

const toPicture = ({ key, alt }: { key: string; alt?: string | null }) => ({
  key,
  alt: alt ?? null,
});

function describeValue(project: Project, name: string): string {
  if (name === 'galleryImages')
    return project.galleryImages
      .map(({ alt }, place) => alt ?? texts.pictures.name(place + 1))
      .join(', ');
  if (name === 'heroImage') return project.heroImage?.alt ?? project.heroImage?.key ?? '';
  if (name === 'relatedProjectIds') return String(project.relatedProjectIds.length);
  return fieldText(project, name as DetailName);
}
