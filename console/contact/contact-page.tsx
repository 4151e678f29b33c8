import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { api, ProblemError, type Contact } from '../api.ts';
import { nameContact } from '../parts/domain/contact-name.ts';
import { ButtonLink } from '../parts/button/button.tsx';
import { Card } from '../parts/page/card.tsx';
import { MessagePage, PageSkeleton } from '../parts/page/page-states.tsx';
import { Page } from '../parts/page/page.tsx';
import { Empty, LoadError } from '../parts/page/states.tsx';
import { useDraft } from '../parts/draft/draft.ts';
import { CopyText } from '../parts/form/copy-text.tsx';
import { Stage } from '../parts/domain/status.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { useSession } from '../session/session.tsx';
import { Actions } from './actions.tsx';
import type { ActivityDraft } from './activity-draft.ts';
import { Banners } from './banners.tsx';
import { Composer, type ComposerHandle } from './composer.tsx';
import { Details } from './details.tsx';
import { useContactEdits } from './edits.ts';
import { Interests } from './interests.tsx';
import { moveDrafts } from './move-drafts.ts';
import { Neighbours } from './neighbours.tsx';
import { contactKey, useAssignedName, useContact, useRefresh } from './queries.ts';
import { sayProblem } from './say-problem.ts';
import { Tags } from './tags.tsx';
import { texts } from './texts.ts';
import { Timeline } from './timeline.tsx';
import './contact.css';

/** The page of a contact: the details, the interests and the timeline. */
export function ContactPage({ id }: { id: string }) {
  const { data: contact, error, refetch } = useContact(id);
  const isGone = error instanceof ProblemError && error.code === 'contact_not_found';
  if (isGone) return <Gone id={id} mergedIntoId={error.problem.mergedIntoId} />;
  if (contact !== undefined) return <Loaded contact={contact} />;
  if (error === null) return <PageSkeleton />;
  return (
    <MessagePage title={texts.notLoaded}>
      <LoadError error={error} onRetry={() => void refetch()} />
    </MessagePage>
  );
}

function Gone({ id, mergedIntoId }: { id: string; mergedIntoId: string | undefined }) {
  useEffect(() => {
    if (mergedIntoId !== undefined) moveDrafts(id, mergedIntoId);
  }, [id, mergedIntoId]);
  return mergedIntoId === undefined ? (
    <MessagePage title={texts.goneTitle}>
      <Empty action={<ButtonLink to="/contacts">{texts.toContacts}</ButtonLink>}>
        {texts.gone}
      </Empty>
      <UnsentText id={id} />
    </MessagePage>
  ) : (
    <MessagePage title={texts.mergedTitle}>
      <Empty action={<ButtonLink to={`/contacts/${mergedIntoId}`}>{texts.mergedLink}</ButtonLink>}>
        {texts.mergedExplain}
      </Empty>
    </MessagePage>
  );
}

/** The text of an activity that the person was writing when the contact was assigned to somebody else, or was deleted. */
function UnsentText({ id }: { id: string }) {
  const [text] = useDraft(`activity:${id}`);
  const { body = '' } = text === '' ? {} : (JSON.parse(text) as Partial<ActivityDraft>);
  return body === '' ? null : <CopyText label={texts.unsent} text={body} />;
}

function Loaded({ contact }: { contact: Contact }) {
  const { can } = useSession();
  const canEdit = can('contacts:write');
  const edit = useContactEdits(contact);
  const save = canEdit ? edit : undefined;
  const composer = useRef<ComposerHandle>(null);
  const setArchived = useArchiving(contact);
  const assigned = useAssignedName(contact);
  return (
    <Page
      title={nameContact(contact)}
      above={
        <div className="contact-above">
          <Link href="/contacts">{texts.above}</Link>
          <Neighbours id={contact.id} />
        </div>
      }
      count={
        <span className={canEdit ? 'contact-printed' : ''}>
          <Stage stage={contact.stage} /> · {texts.assignMenu(assigned)}
        </span>
      }
      actions={
        <Actions
          contact={contact}
          save={save}
          onStart={(type) => composer.current?.start(type)}
          onArchive={canEdit ? () => void setArchived(true) : undefined}
        />
      }
    >
      <div className="contact-banners">
        <Banners
          contact={contact}
          onRestore={canEdit ? () => void setArchived(false) : undefined}
        />
      </div>
      <div className="contact">
        <div className="contact-side">
          <Details key={contact.id} contact={contact} save={save} />
          <Interests contact={contact} canEdit={canEdit} />
          <Tags contact={contact} canEdit={canEdit} />
        </div>
        <Card title={texts.activity}>
          {canEdit && (
            <div className="screen-only">
              <Composer key={contact.id} contact={contact} ref={composer} />
            </div>
          )}
          <Timeline contact={contact} save={save} />
        </Card>
      </div>
    </Page>
  );
}

/** Returns a function that archives or restores a contact. A toast offers to undo it. */
function useArchiving(contact: Contact) {
  const { id } = contact;
  const name = nameContact(contact);
  const queries = useQueryClient();
  const refresh = useRefresh(id);
  return async function setArchived(isArchived: boolean, { isUndo = false } = {}): Promise<void> {
    const path = { contactId: id };
    try {
      const { data } = isArchived
        ? await api.POST('/contacts/{contactId}/archive', { params: { path }, body: {} })
        : await api.POST('/contacts/{contactId}/restore', { params: { path }, body: {} });
      queries.setQueryData<Contact>(contactKey(id), (before) => ({ ...before, ...data }));
      refresh();
      showToast({
        text: isArchived ? texts.archived(name) : texts.restored(name),
        ...(!isUndo && { onUndo: () => void setArchived(!isArchived, { isUndo: true }) }),
      });
    } catch (error) {
      sayProblem(contact, error);
    }
  };
}
