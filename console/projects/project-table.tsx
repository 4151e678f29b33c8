import { Link } from 'wouter';
import type { Project } from '../api.ts';
import { Publication } from '../parts/domain/status.tsx';
import { Help } from '../parts/popup/help.tsx';
import { formatAgo, formatMoney, formatTime } from '../parts/text/format.ts';
import { Picture } from '../stock/picture.tsx';
import { stockTexts } from '../stock/stock-texts.ts';
import { texts } from './texts.ts';
import { UnitBar } from './unit-bar.tsx';

/** The projects as a table; on a phone as a list of cards. */
export function ProjectTable({ projects }: { projects: readonly Project[] }) {
  return (
    <table className="projects-table">
      <caption className="hidden-text">{texts.table}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.name}</th>
          <th scope="col">
            {texts.publication} <Help word={texts.publication}>{texts.publicationHelp}</Help>
          </th>
          <th scope="col">{texts.status}</th>
          <th scope="col">{texts.units}</th>
          <th scope="col" className="projects-end">
            {texts.prices}
          </th>
          <th scope="col">{texts.changed}</th>
        </tr>
      </thead>
      <tbody>
        {projects.map((project) => (
          <ProjectRow key={project.id} project={project} />
        ))}
      </tbody>
    </table>
  );
}

function ProjectRow({ project }: { project: Project }) {
  const { id, name, heroImage, publication, status, updatedAt, suburbName, cityName } = project;
  const place = [suburbName, cityName].filter(Boolean).join(', ');
  return (
    <tr>
      <th scope="row">
        <Link href={`/stock/projects/${id}`} className="projects-name">
          {heroImage === null ? (
            <span className="projects-thumb" />
          ) : (
            <Picture picture={{ ...heroImage, alt: '' }} width={320} className="projects-thumb" />
          )}
          <span>
            {name}
            {place !== '' && <span className="projects-place">{place}</span>}
          </span>
        </Link>
      </th>
      <td>{publication !== undefined && <Publication of={publication} />}</td>
      <td>{status}</td>
      <td>
        <UnitBar counts={project.unitCounts} />
        {project.unitCount === 0
          ? texts.noUnits
          : texts.available(project.availableUnitCount, project.unitCount)}
      </td>
      <td className="projects-end">{describePrices(project)}</td>
      <td title={formatTime(updatedAt)}>{formatAgo(updatedAt)}</td>
    </tr>
  );
}

function describePrices({ priceFrom, priceTo, priceCurrency }: Project): string {
  if (priceFrom == null || priceTo == null) return '';
  const show = (price: number): string => formatMoney(price, priceCurrency ?? undefined);
  return stockTexts.priceRange(show(priceFrom), show(priceTo));
}
