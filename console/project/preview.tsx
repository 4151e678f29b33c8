import { useQuery } from '@tanstack/react-query';
import { api, type Project } from '../api.ts';
import { UnitStatus } from '../parts/domain/status.tsx';
import { Notice } from '../parts/message/notice.tsx';
import { LoadError, Skeleton } from '../parts/page/states.tsx';
import { formatDay } from '../parts/text/format.ts';
import { fromWallTime } from '../parts/time/wall-time.ts';
import { Picture } from '../stock/picture.tsx';
import { formatPrice } from '../stock/price.ts';
import { texts } from './texts.ts';
import '../price-list/price-list.css';
import './preview.css';

/** Formats the day of an instant as the API and the tab Details write it, whatever the time zone of the account is. */
const formatDate = (instant: string): string =>
  formatDay(fromWallTime(`${instant.slice(0, 10)}T00:00`));

/** Shows the answer that websites get for a project, as a page and as data. */
export function Preview({ project }: { project: Project }) {
  const slug = project.slug ?? '';
  const { data, error, refetch } = useQuery({
    // A change of the project or of its units changes the ETag, so the preview is read again.
    queryKey: ['project', 'preview', slug, project.etag],
    queryFn: async () => (await api.GET('/projects/{slug}', { params: { path: { slug } } })).data,
    enabled: project.publication === 'live',
    placeholderData: (before) => before,
  });
  if (project.publication !== 'live') return <Notice>{texts.preview.notLive}</Notice>;
  if (data === undefined && error !== null)
    return <LoadError error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={6} />;
  const shown = data.project;
  const missing = [project.heroImage, ...project.galleryImages].filter(
    (picture) => picture !== null && (picture.alt ?? '') === '',
  ).length;
  return (
    <div className="preview">
      <p className="soft">{texts.preview.explain}</p>
      {missing > 0 && <Notice look="warning">{texts.preview.missingAlt(missing)}</Notice>}
      <article className="preview-page">
        {shown.heroImage !== null && (
          <Picture picture={shown.heroImage} width={1280} className="preview-hero" />
        )}
        <h2>{shown.name}</h2>
        <p className="soft">
          {[shown.addressLine1, shown.addressLine2, shown.suburbName, shown.cityName]
            .filter(Boolean)
            .join(', ')}
          {' · '}
          {shown.status}
          {' · '}
          {texts.preview.finished(formatDate(shown.estimatedCompletionDate))}
        </p>
        <p className="preview-text">{shown.developmentDescription}</p>
        <div className="preview-gallery">
          {shown.galleryImages.map((picture) => (
            <Picture key={picture.key} picture={picture} width={320} />
          ))}
        </div>
        <h3>{texts.preview.units}</h3>
        <table className="sheet-table">
          <thead>
            <tr>
              <th scope="col">{texts.preview.unit}</th>
              <th scope="col">{texts.preview.beds}</th>
              <th scope="col">{texts.preview.status}</th>
              <th scope="col" className="sheet-price">
                {texts.preview.price}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.units.map((unit) => (
              <tr key={unit.id}>
                <th scope="row">{unit.name}</th>
                <td data-title={texts.preview.beds}>{unit.bedrooms}</td>
                <td>
                  <UnitStatus status={unit.status} />
                </td>
                <td className="sheet-price">{formatPrice(unit)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {shown.relatedProjects.length > 0 && (
          <>
            <h3>{texts.preview.relatedTitle}</h3>
            <p>{shown.relatedProjects.map(({ name }) => name).join(', ')}</p>
          </>
        )}
      </article>
      <details>
        <summary>{texts.preview.data}</summary>
        <pre className="preview-data">{JSON.stringify(data, null, 2)}</pre>
      </details>
    </div>
  );
}
