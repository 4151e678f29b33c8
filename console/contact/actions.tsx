import { useEffect, useState } from 'react';
import type { Contact } from '../api.ts';
import { Icon } from '../parts/button/icon.tsx';
import { MenuButton, type MenuChoice } from '../parts/popup/menu.tsx';
import { useUsers } from '../parts/domain/names.ts';
import { Mark, STAGES } from '../parts/domain/status.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { useSession } from '../session/session.tsx';
import type { WrittenType } from './activity-draft.ts';
import { downloadPerson } from './download.ts';
import type { SaveContact } from './edits.ts';
import { EraseDialog } from './erase-dialog.tsx';
import { useAssignedName } from './queries.ts';
import { sayProblem } from './say-problem.ts';
import { lazyDialog } from '../parts/page/lazy-part.tsx';
import { askForUnit, isLinkedToUnit, type UnitQuestion } from './unit-question.ts';
import { texts } from './texts.ts';
import './actions.css';

const AskUnit = lazyDialog(() => import('./ask-unit.tsx'));

interface ActionsProps {
  contact: Contact;
  save: SaveContact | undefined;
  onStart: (type: WrittenType) => void;
  onArchive: (() => void) | undefined;
}

/** The actions on a contact: stage, assigned person, call, email, note, and a menu of rare ones. */
export function Actions({ contact, save, onStart, onArchive }: ActionsProps) {
  return (
    <>
      {save !== undefined && <StageMenu contact={contact} save={save} />}
      {save !== undefined && <AssignMenu contact={contact} save={save} />}
      <Reach contact={contact} onStart={save && onStart} />
      <MoreMenu contact={contact} onArchive={onArchive} />
    </>
  );
}

function StageMenu({ contact, save }: { contact: Contact; save: SaveContact }) {
  const [question, ask] = useState<UnitQuestion>();
  // A person types the unit right after the stage.
  useEffect(() => AskUnit.preload(), []);
  const stage = contact.stage ?? '';

  function setStage(seen: Contact, to: string): void {
    save({ stage: (to || null) as NonNullable<Contact['stage']> | null }, seen).catch(
      (error: unknown) => sayProblem(contact, error),
    );
  }

  return (
    <>
      <MenuButton
        shortcut="s"
        name={texts.stageMenu(stage || texts.noStage)}
        label={<StageLabel stage={stage} />}
        chosen={stage}
        choices={[...STAGES, ''].map((id) => ({
          id,
          label: <StageLabel stage={id} />,
          text: id || texts.noStage,
        }))}
        onChoose={(id) => {
          if (id === stage) return;
          const hasUnit = isLinkedToUnit(contact);
          askForUnit(ask, { contact, hasUnit, stage: id, move: (seen) => setStage(seen, id) });
        }}
      />
      {question && <AskUnit {...question} onClose={() => ask(undefined)} />}
    </>
  );
}

function StageLabel({ stage }: { stage: string }) {
  return (
    <span className="status">
      {stage !== '' && <Mark of={stage} />}
      {stage || texts.noStage}
    </span>
  );
}

const NOBODY = 'nobody';

function AssignMenu({ contact, save }: { contact: Contact; save: SaveContact }) {
  const { me, userId } = useSession();
  const users = useUsers();
  const assignedId = contact.assignedAccountUserId ?? NOBODY;
  const assigned = useAssignedName(contact);
  const mine = { id: userId, label: texts.me(me.user?.name ?? '') };
  const others = users.filter(({ id, active }) => active && id !== userId);
  return (
    <MenuButton
      shortcut="a"
      name={texts.assignMenu(assigned)}
      label={<span className="actions-assigned">{assigned}</span>}
      chosen={assignedId}
      choices={[
        mine,
        // An agent may assign a contact only to themselves or to nobody.
        ...(me.role === 'agent' ? [] : others.map(({ id, name }) => ({ id, label: name }))),
        { id: NOBODY, label: texts.nobody },
      ]}
      onChoose={(id) => {
        if (id !== assignedId)
          void save({ assignedAccountUserId: id === NOBODY ? null : id }, contact).catch(
            (error: unknown) => sayProblem(contact, error),
          );
      }}
    />
  );
}

/** Opens the phone field in the details for editing. */
function editPhone(): void {
  document.querySelector<HTMLElement>('[data-field=phone] .value-button')?.click();
}

/** Finds the digits to dial: the first number of a text, without an extension. Returns undefined for a text without digits. */
function findDialled(text: string): string | undefined {
  return /\+?\d[\d\s().-]*/.exec(text)?.[0].replaceAll(/[^\d+]/g, '');
}

/** The buttons Call, Email and Note. Without a number, the first button adds one. Call and Email also open the form that records the activity. */
function Reach({
  contact: { phone, mobilePhone, email },
  onStart,
}: {
  contact: Contact;
  onStart: ((type: WrittenType) => void) | undefined;
}) {
  const number = findDialled(phone ?? '') ?? findDialled(mobilePhone ?? '');
  return (
    <div className="reach">
      {number === undefined && onStart !== undefined && (
        <button type="button" className="button button-plain" onClick={editPhone}>
          <Icon name="phone" />
          {texts.addPhone}
        </button>
      )}
      {number !== undefined && (
        <a className="button button-plain" href={`tel:${number}`} onClick={() => onStart?.('call')}>
          <Icon name="phone" />
          {texts.call}
        </a>
      )}
      <a
        className="button button-plain"
        href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}
        onClick={() => onStart?.('email')}
      >
        <Icon name="mail" />
        {texts.email}
      </a>
      {onStart !== undefined && (
        <button
          type="button"
          className="button button-plain reach-note"
          onClick={() => onStart('note')}
        >
          <Icon name="note" />
          {texts.note}
        </button>
      )}
    </div>
  );
}

function MoreMenu({ contact, onArchive }: Pick<ActionsProps, 'contact' | 'onArchive'>) {
  const { can } = useSession();
  const [isErasing, setErasing] = useState(false);
  const number = contact.phone ?? contact.mobilePhone;
  const choices: MenuChoice[] = [
    { id: 'copy-email', label: texts.copyEmail },
    ...(number == null ? [] : [{ id: 'copy-phone', label: texts.copyPhone }]),
    { id: 'copy-link', label: texts.copyLink },
    { id: 'print', label: texts.print },
    ...(can('contacts:export') ? [{ id: 'download', label: texts.download }] : []),
    ...(onArchive && contact.archivedAt == null ? [{ id: 'archive', label: texts.archive }] : []),
    ...(can('contacts:erase') ? [{ id: 'erase', label: texts.erase, isDanger: true }] : []),
  ];
  function choose(id: string): void {
    if (id === 'copy-email') copy(contact.email, texts.email);
    else if (id === 'copy-phone') copy(number ?? '', texts.phone);
    else if (id === 'copy-link') copy(location.href.split('?')[0] ?? '', texts.linkCopied);
    else if (id === 'print') window.print();
    else if (id === 'download')
      downloadPerson(contact).catch((error: unknown) => sayProblem(contact, error));
    else if (id === 'archive') onArchive?.();
    else setErasing(true);
  }
  return (
    <>
      <MenuButton
        name={texts.moreMenu}
        label={
          <>
            <span className="actions-more">{texts.more}</span>
            <span className="actions-dots">
              <Icon name="more" />
            </span>
          </>
        }
        choices={choices}
        onChoose={choose}
      />
      {isErasing && <EraseDialog contact={contact} onClose={() => setErasing(false)} />}
    </>
  );
}

/** Copies a text and says so. */
export function copy(text: string, what: string): void {
  void navigator.clipboard.writeText(text).then(
    () => showToast({ text: texts.copied(what) }),
    () => showToast({ text: texts.notCopied, look: 'error' }),
  );
}
