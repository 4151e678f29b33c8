import type { User } from '../api.ts';
import type { AskUnitQuestion } from '../contact/unit-question.ts';
import { nameContact } from '../parts/domain/contact-name.ts';
import { findName } from '../parts/domain/names.ts';
import { Mark } from '../parts/domain/status.tsx';
import type { Column } from '../parts/grid/index.ts';
import { DialogError, lazyDialog, lazyPart } from '../parts/page/lazy-part.tsx';
import { preloadPopup } from '../parts/popup/popup.tsx';
import { formatAgo, formatAgoInSentence, formatShortDay } from '../parts/text/format.ts';
import type { ContactRow } from './rows.ts';
import { texts } from './texts.ts';

export const AskUnit = lazyDialog(() => import('../contact/ask-unit.tsx'));
const CellEditor = lazyPart(() => import('./editors.tsx'), EditorError);

function EditorError({ close }: { close: () => void }) {
  return <DialogError onClose={() => close()} />;
}

/** Loads the editors of the cells before one opens, so that a key right after Enter reaches the menu, and one after the stage the unit. */
export function preloadEditors(): void {
  CellEditor.preload();
  AskUnit.preload();
  preloadPopup(true);
}

const names = texts.columnNames;

/** Makes the columns of the list. With `canEdit`, the cells of the stage and the assigned person can be edited. */
export function makeColumns(
  users: readonly User[],
  canEdit: boolean,
  ask: AskUnitQuestion,
): Column<ContactRow>[] {
  const context = { users, ask };
  const assigned = ({ assignedAccountUserId: id }: ContactRow): string =>
    id == null ? '' : findName(users, id, texts.unknownPerson);
  return [
    {
      id: 'name',
      title: names.name,
      width: 190,
      isName: true,
      sort: 'name',
      cell: nameContact,
      address: ({ id }) => `/contacts/${id}`,
    },
    { id: 'email', title: names.email, width: 270, cell: ({ email }) => email },
    { id: 'phone', title: names.phone, width: 150, cell: (row) => row.phone ?? row.mobilePhone },
    {
      id: 'stage',
      title: names.stage,
      width: 150,
      cell: StageCell,
      editor: (row, close) => <CellEditor field="stage" row={row} close={close} {...context} />,
      canEdit: () => canEdit,
    },
    { id: 'source', title: names.source, width: 130, cell: nameSource },
    { id: 'projects', title: names.projects, width: 160, cell: ({ projects }) => projects },
    { id: 'units', title: names.units, width: 110, cell: ({ units }) => units },
    {
      id: 'assignedTo',
      title: names.assignedTo,
      width: 140,
      cell: assigned,
      editor: (row, close) => <CellEditor field="assigned" row={row} close={close} {...context} />,
      canEdit: () => canEdit,
    },
    {
      id: 'lastActivityAt',
      title: names.lastActivityAt,
      width: 140,
      sort: 'lastActivityAt',
      cell: ({ lastActivityAt }) => formatAgo(lastActivityAt),
    },
    {
      id: 'createdAt',
      title: names.createdAt,
      width: 130,
      sort: 'createdAt',
      cell: ({ createdAt }) => formatShortDay(createdAt),
    },
    ...makeHiddenColumns(),
  ];
}

/** Makes the columns that are hidden until a person chooses them. */
function makeHiddenColumns(): Column<ContactRow>[] {
  const columns: Column<ContactRow>[] = [
    {
      id: 'updatedAt',
      title: names.updatedAt,
      width: 140,
      sort: 'updatedAt',
      cell: ({ updatedAt }) => formatAgo(updatedAt),
    },
    { id: 'mobilePhone', title: names.mobilePhone, width: 150, cell: (row) => row.mobilePhone },
    { id: 'companyName', title: names.companyName, width: 180, cell: (row) => row.companyName },
    { id: 'buyerType', title: names.buyerType, width: 150, cell: ({ buyerType }) => buyerType },
    { id: 'budget', title: names.budget, width: 130, cell: ({ budget }) => budget },
    { id: 'tags', title: names.tags, width: 200, cell: joinTags },
    { id: 'cityName', title: names.cityName, width: 140, cell: ({ cityName }) => cityName },
  ];
  return columns.map((column) => ({ ...column, isHidden: true }));
}

const joinTags = ({ tags }: ContactRow): string => tags.map(({ label }) => label).join(', ');

/** Names the source of a contact. For `Other`, this is its name in the system that sent it. */
const nameSource = ({ source, sourceExternalOriginalName }: ContactRow) =>
  source === 'Other' ? (sourceExternalOriginalName ?? source) : source;

function StageCell({ stage, archivedAt }: ContactRow) {
  if (archivedAt != null) return texts.archived;
  return (
    stage != null && (
      <>
        <Mark of={stage} />
        {stage}
      </>
    )
  );
}

/** Makes the row on a phone: "Ana Kaur · 2 days ago" with the time by which the list is sorted, and below it the stage, the projects and the units. */
export const makePhoneRow = (sort: string) => (row: ContactRow) => {
  const { stage, projects, units } = row;
  const field = sort.replace('-', '');
  const at = field === 'createdAt' || field === 'updatedAt' ? row[field] : row.lastActivityAt;
  return (
    <>
      <span className="contacts-phone-line">
        <strong>{nameContact(row)}</strong> · {formatAgoInSentence(at)}
      </span>
      <span className="contacts-phone-line soft">
        {stage != null && <Mark of={stage} />}
        {[stage, texts.about(projects, units)].filter(Boolean).join(' · ')}
      </span>
    </>
  );
};
