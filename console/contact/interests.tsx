import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, type Contact, type ContactLink } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { Card } from '../parts/page/card.tsx';
import { nameContact } from '../parts/domain/contact-name.ts';
import { useTrigger } from '../parts/keyboard/focus.ts';
import { useProjects } from '../parts/domain/names.ts';
import { UnitStatus } from '../parts/domain/status.tsx';
import { showEarly } from '../parts/edit/show-early.ts';
import { showToast } from '../parts/message/toast.tsx';
import { useSession } from '../session/session.tsx';
import { LinkPicker, type LinkTarget } from './link-picker.tsx';
import { showPrice } from './price.ts';
import { contactKey, useLinkedUnit, useRefresh } from './queries.ts';
import { sayProblem } from './say-problem.ts';
import { texts } from './texts.ts';
import './interests.css';

/** The projects and units that a contact is interested in, with their current status and price. */
export function Interests({ contact, canEdit }: { contact: Contact; canEdit: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const trigger = useTrigger(isOpen);
  const { link, unlink } = useLinks(contact);
  const { can } = useSession();
  const links = contact.links ?? [];
  return (
    <Card title={texts.interests}>
      {links.length === 0 && <p className="soft">{texts.noInterests}</p>}
      <ul className="interests">
        {links.map((each) => (
          <Interest
            key={each.id}
            link={each}
            canOpen={can('projects:read')}
            onUnlink={
              canEdit
                ? () => {
                    trigger.current?.focus();
                    void unlink(each);
                  }
                : undefined
            }
          />
        ))}
      </ul>
      {canEdit &&
        (isOpen ? (
          <LinkPicker
            ownProjects={[...new Set(links.map(({ projectId }) => projectId))]}
            onClose={() => setOpen(false)}
            onChoose={(target) => {
              setOpen(false);
              void link(target);
            }}
          />
        ) : (
          <Button ref={trigger} icon="plus" className="card-action" onClick={() => setOpen(true)}>
            {texts.link}
          </Button>
        ))}
    </Card>
  );
}

function Interest({
  link,
  canOpen,
  onUnlink,
}: {
  link: ContactLink;
  canOpen: boolean;
  onUnlink: (() => void) | undefined;
}) {
  const project = useProjects().find(({ id }) => id === link.projectId);
  const { data: unit } = useLinkedUnit(link.unitId);
  const name = unit?.name ?? project?.name ?? '…';
  const projectName = canOpen ? (
    <Link href={`/stock/projects/${link.projectId}`}>{project?.name ?? '…'}</Link>
  ) : (
    project?.name
  );
  const unitName = canOpen ? (
    <Link href={`/stock?unit=${link.unitId}`}>{unit?.name}</Link>
  ) : (
    unit?.name
  );
  return (
    <li className="interest">
      <div>
        <p className="interest-name">
          {unit === undefined ? projectName : unitName}
          {unit?.bedrooms != null && `, ${texts.bedrooms(unit.bedrooms)}`}
        </p>
        <p className="interest-project">{unit === undefined ? texts.projectOnly : projectName}</p>
      </div>
      {unit !== undefined && (
        <p className="interest-state">
          {unit.status !== undefined && <UnitStatus status={unit.status} />}
          <strong>{showPrice(unit)}</strong>
        </p>
      )}
      {onUnlink !== undefined && (
        <Button look="bare" icon="close" isIconOnly onClick={onUnlink}>
          {texts.unlink(name)}
        </Button>
      )}
    </li>
  );
}

/** Returns functions that link and unlink. The page shows the change at once, and a toast offers to undo it. */
function useLinks(contact: Contact) {
  const contactId = contact.id;
  const queries = useQueryClient();
  const refresh = useRefresh(contactId);
  const key = contactKey(contactId);

  function show(change: (links: ContactLink[]) => ContactLink[]): void {
    queries.setQueryData<Contact>(
      key,
      (contact) => contact && { ...contact, links: change(contact.links ?? []) },
    );
  }

  async function attempt(
    change: (links: ContactLink[]) => ContactLink[],
    action: () => Promise<void>,
  ): Promise<void> {
    const before = queries.getQueryData<Contact>(key)?.links ?? [];
    const filters = { queryKey: key, exact: true };
    const stop = await showEarly(queries, filters, () => show(change));
    try {
      await action().finally(stop);
    } catch (error) {
      show(() => before);
      sayProblem(contact, error);
    }
    refresh();
  }

  function link(target: LinkTarget, { isUndo = false } = {}): Promise<void> {
    const shown = { ...target, id: 'new', createdAt: new Date().toISOString() };
    const add = (links: ContactLink[]) =>
      links.some((each) => isSameLink(each, target)) ? links : [...links, shown];
    return attempt(add, async () => {
      const { data } = await api.POST('/contacts/{contactId}/links', {
        params: { path: { contactId } },
        body: target,
      });
      show((links) => links.map((each) => (each.id === 'new' ? data : each)));
      showToast({
        text: texts.linked(nameContact(contact)),
        ...(!isUndo && { onUndo: () => void unlink(data, { isUndo: true }) }),
      });
    });
  }

  function unlink(gone: ContactLink, { isUndo = false } = {}): Promise<void> {
    const remove = (links: ContactLink[]) => links.filter(({ id }) => id !== gone.id);
    return attempt(remove, async () => {
      await api.DELETE('/contacts/{contactId}/links/{linkId}', {
        params: { path: { contactId, linkId: gone.id } },
      });
      const target = { projectId: gone.projectId, unitId: gone.unitId ?? null };
      showToast({
        text: texts.unlinked(nameContact(contact)),
        ...(!isUndo && { onUndo: () => void link(target, { isUndo: true }) }),
      });
    });
  }

  return { link, unlink };
}

const isSameLink = (a: LinkTarget | ContactLink, b: LinkTarget): boolean =>
  a.projectId === b.projectId && (a.unitId ?? null) === b.unitId;
