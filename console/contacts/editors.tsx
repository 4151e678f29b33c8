import { useQueryClient } from '@tanstack/react-query';
import { useRef, type ReactNode } from 'react';
import { api, ifMatch, type Contact, type User } from '../api.ts';
import { patchGridRows } from '../parts/grid/index.ts';
import { nameContact } from '../parts/domain/contact-name.ts';
import { findName } from '../parts/domain/names.ts';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { useEdits } from '../parts/edit/edit.ts';
import { STAGES, Stage } from '../parts/domain/status.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { askForUnit, type AskUnitQuestion } from '../contact/unit-question.ts';
import { useSession } from '../session/session.tsx';
import type { MenuChoice } from '../parts/popup/menu.tsx';
import { MenuList, PopupPanel } from '../parts/popup/popup.tsx';
import type { ContactRow } from './rows.ts';
import { texts } from './texts.ts';

type Close = (move?: 'down') => void;
type Change = Partial<Pick<ContactRow, 'stage' | 'assignedAccountUserId'>>;

interface EditorProps {
  row: ContactRow;
  users: readonly User[];
  ask: AskUnitQuestion;
  close: Close;
}

/** The editor of a cell: the menu of stages or of people. */
export default function CellEditor({
  field,
  ...props
}: EditorProps & { field: 'stage' | 'assigned' }) {
  return field === 'stage' ? <StageEditor {...props} /> : <AssignedEditor {...props} />;
}

function StageEditor({ row, ask, close }: EditorProps) {
  const save = useContactEdit(row, (stage) => stage ?? '');
  const choices = STAGES.map((stage) => ({
    id: stage,
    label: <Stage stage={stage} />,
    text: stage,
  }));
  return (
    <CellMenu
      name={texts.columnNames.stage}
      shown={<Stage stage={row.stage} />}
      choices={choices}
      chosen={row.stage ?? ''}
      onChoose={(stage) =>
        askForUnit(ask, {
          contact: row,
          hasUnit: row.units !== '',
          stage,
          move: (seen) => save({ stage: stage as NonNullable<Contact['stage']> }, seen),
        })
      }
      close={close}
    />
  );
}

const NOBODY = 'none';

/** The menu of people. An agent may assign a contact only to themselves or to nobody. */
function AssignedEditor({ row, users, close }: EditorProps) {
  const { me, userId } = useSession();
  const name = (id: string | null) =>
    id === null ? texts.nobody : findName(users, id, texts.unknownPerson);
  const save = useContactEdit(row, name);
  const allowed = users.filter(
    ({ id, active }) => active && (me.role !== 'agent' || id === userId),
  );
  const choices = [
    { id: NOBODY, label: texts.nobody },
    ...allowed.map(({ id, name }) => ({ id, label: name })),
  ];
  return (
    <CellMenu
      name={texts.columnNames.assignedTo}
      shown={name(row.assignedAccountUserId ?? null)}
      choices={choices}
      chosen={row.assignedAccountUserId ?? NOBODY}
      onChoose={(id) => save({ assignedAccountUserId: id === NOBODY ? null : id }, row)}
      close={close}
    />
  );
}

interface CellMenuProps {
  name: string;
  shown: ReactNode;
  choices: readonly MenuChoice[];
  chosen: string;
  onChoose: (id: string) => void;
  close: Close;
}

/** A menu that opens in a cell. It gives the focus back to the cell when it closes. */
function CellMenu({ name, shown, choices, chosen, onChoose, close }: CellMenuProps) {
  const anchorRef = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span ref={anchorRef} className="contacts-cell-value">
        {shown}
      </span>
      <PopupPanel triggerRef={anchorRef} title={name} isMenu onClose={close}>
        <MenuList
          name={name}
          choices={choices}
          chosen={chosen}
          onChoose={(id) => {
            close();
            if (id !== chosen) onChoose(id);
          }}
        />
      </PopupPanel>
    </>
  );
}

/** Returns a function that saves a change of one contact. The list shows it at once. */
function useContactEdit(row: ContactRow, nameValue: (value: string | null) => string) {
  const queries = useQueryClient();
  const queryKey = ['contact', 'row', row.id];
  const save = useEdits<ContactRow, Change>({
    queryKey,
    send: async (body, etag) => {
      const params = { path: { contactId: row.id }, header: ifMatch(etag) };
      const { data } = await api.PATCH('/contacts/{contactId}', { params, body });
      const { projects, units } = row;
      return { ...(data as Omit<ContactRow, 'projects' | 'units'>), projects, units };
    },
    subject: nameContact(row),
    explain: (change, current) =>
      (Object.keys(change) as (keyof Change)[]).map((field) => ({
        label: FIELD_NAMES[field],
        theirs: nameValue(current[field] ?? null),
        mine: nameValue(change[field] ?? null),
      })),
    findLastChange: async (change) => {
      const { findLastContactChange } = await import('../parts/domain/last-change.ts');
      return findLastContactChange(row.id, Object.keys(change));
    },
    onChange: (changed) =>
      patchGridRows<ContactRow>(queries, 'contact', (each) =>
        each.id === changed.id ? { ...each, ...changed } : each,
      ),
  });
  return (change: Change, seen: ContactRow): void => {
    queries.setQueryData(queryKey, seen);
    save(change, seen).catch((error: unknown) =>
      showToast({ text: describeProblem(error), look: 'error' }),
    );
  };
}

const FIELD_NAMES = {
  stage: texts.columnNames.stage,
  assignedAccountUserId: texts.columnNames.assignedTo,
};
