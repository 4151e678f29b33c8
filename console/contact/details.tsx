import { useRef, useState } from 'react';
import type { Contact } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { contactFields as labels } from '../parts/domain/contact-texts.ts';
import { useShortcut } from '../parts/keyboard/shortcut.ts';
import { Card } from '../parts/page/card.tsx';
import { formatTime } from '../parts/text/format.ts';
import { useSession } from '../session/session.tsx';
import { copy } from './actions.tsx';
import type { SaveContact } from './edits.ts';
import { arrangeFields, showValue, type EditableField } from './fields.ts';
import { Provenance } from './provenance.tsx';
import { useAssignedName } from './queries.ts';
import { texts } from './texts.ts';
import { hasUnsaved, Value } from './value.tsx';

/** The fields of a contact, each with the source of its value. */
export function Details({ contact, save }: { contact: Contact; save: SaveContact | undefined }) {
  // Arrange the fields once: a field that moves during a save would lose its focus and the typed text.
  const [{ main, more }] = useState(() => arrangeFields(contact));
  const { userId } = useSession();
  const [hasMoreUnsaved] = useState(() => more.some((field) => hasUnsaved(userId, contact, field)));
  const assigned = useAssignedName(contact);
  const section = useRef<HTMLDivElement>(null);
  const openEditor = (): void => {
    const focused = document.activeElement;
    const field =
      focused instanceof HTMLElement && section.current?.contains(focused)
        ? focused.closest('.value')
        : undefined;
    const place = field ?? section.current;
    place?.querySelector<HTMLElement>('.value-button, .button-bare')?.click();
  };
  useShortcut('e', openEditor, save !== undefined);
  useShortcut('f2', openEditor, save !== undefined);
  const values = (fields: readonly EditableField[]) =>
    fields.map((field) => (
      <Value
        key={field.name}
        field={field}
        contact={contact}
        save={save}
        actions={<CopyAction field={field} contact={contact} />}
      />
    ));
  return (
    <Card title={texts.details}>
      <div ref={section} className="details-fields">
        <dl className="contact-fields">
          {values(main)}
          <ReadOnlyField field="stage" contact={contact} text={contact.stage ?? texts.noStage} />
          <ReadOnlyField field="assignedAccountUserId" contact={contact} text={assigned} />
        </dl>
        <details className="details-more" open={hasMoreUnsaved}>
          <summary>{texts.moreDetails}</summary>
          <dl className="contact-fields">
            {values(more)}
            <div className="value">
              <dt>{labels.createdAt}</dt>
              <dd>{formatTime(contact.createdAt)}</dd>
            </div>
          </dl>
        </details>
      </div>
    </Card>
  );
}

interface ReadOnlyFieldProps {
  field: 'stage' | 'assignedAccountUserId';
  contact: Contact;
  text: string;
}

/** A read-only field with its source and history. The actions at the top of the page set its value. */
function ReadOnlyField({ field, contact, text }: ReadOnlyFieldProps) {
  return (
    <div className="value">
      <dt>{labels[field]}</dt>
      <dd>
        {text}
        <Provenance contact={contact} field={field} />
      </dd>
    </div>
  );
}

function CopyAction({ field, contact }: { field: EditableField; contact: Contact }) {
  const value = showValue(field.name, contact[field.name]);
  if (value === '' || !['email', 'phone'].includes(field.kind)) return null;
  return (
    <Button
      look="bare"
      icon="copies"
      isIconOnly
      className="value-action screen-only"
      onClick={() => copy(value, labels[field.name])}
    >
      {texts.copyValue(labels[field.name])}
    </Button>
  );
}
