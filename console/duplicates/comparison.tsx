import { useId } from 'react';
import { Link } from 'wouter';
import type { Contact } from '../api.ts';
import { contactFields } from '../parts/domain/contact-texts.ts';
import { formatDay } from '../parts/text/format.ts';
import { COMPARED, isUneven, type ComparedField, type TakeFrom } from './differences.ts';
import { useShowValue } from './show-value.ts';
import { texts } from './texts.ts';
import './comparison.css';

interface ComparisonProps {
  contacts: readonly Contact[];
  kept: Contact;
  /** Finds the name of a contact, which no other one of them has. */
  nameOf: (id: string) => string;
  /** The contact as it would be after the merge; undefined until the preview has arrived. */
  result: Contact | undefined;
  /** The contacts from which the person takes single fields. */
  takeFrom: TakeFrom;
  onKeep: (id: string) => void;
  onTake: (field: ComparedField, id: string) => void;
}

/**
 * Compares contacts as columns. The person chooses which contact remains, and which value of each field; the last column shows the
 * result of the merge.
 */
export function Comparison({
  contacts,
  kept,
  nameOf,
  result,
  takeFrom,
  onKeep,
  onTake,
}: ComparisonProps) {
  const group = useId();
  const isFilled = (field: ComparedField): boolean =>
    contacts.some((contact) => contact[field] != null && contact[field] !== '');
  const filled = COMPARED.filter(isFilled);
  const uneven = filled.filter((field) => isUneven(contacts, field));
  const even = filled.filter((field) => !uneven.includes(field));
  const props = { contacts, kept, nameOf, result, takeFrom, onTake };
  return (
    <>
      <table className="comparison">
        <thead>
          <tr>
            <th scope="col">
              <span className="hidden-text">{texts.field}</span>
            </th>
            {contacts.map((contact) => (
              <th key={contact.id} scope="col" className="comparison-contact">
                <Link href={`/contacts/${contact.id}`}>{nameOf(contact.id)}</Link>
                <label className="comparison-keep">
                  <input
                    type="radio"
                    name={group}
                    aria-label={texts.keepOf(nameOf(contact.id))}
                    checked={contact.id === kept.id}
                    onChange={() => onKeep(contact.id)}
                  />
                  {texts.keep}
                </label>
              </th>
            ))}
            <th scope="col">{texts.becomes}</th>
          </tr>
        </thead>
        <tbody>
          <InfoRow
            label={contactFields.createdAt}
            contacts={contacts}
            nameOf={nameOf}
            of={({ createdAt }) => formatDay(createdAt)}
          />
          <InfoRow
            label={texts.lastActivity}
            contacts={contacts}
            nameOf={nameOf}
            of={({ lastActivityAt }) => formatDay(lastActivityAt)}
          />
          {contacts.some(({ archivedAt }) => archivedAt != null) && (
            <InfoRow
              label={texts.archived}
              contacts={contacts}
              nameOf={nameOf}
              of={({ archivedAt }) => (archivedAt == null ? texts.empty : formatDay(archivedAt))}
            />
          )}
          {uneven.map((field) => (
            <FieldRow key={field} field={field} {...props} />
          ))}
          <tr>
            <th scope="row">{contactFields.tags}</th>
            {contacts.map((contact) => (
              <Cell key={contact.id} label={nameOf(contact.id)} value={showTags(contact)} />
            ))}
            <ResultCell value={result && showTags(result)} />
          </tr>
        </tbody>
      </table>
      {even.length > 0 && (
        <details className="comparison-even">
          <summary>{texts.showSame(even.length)}</summary>
          <dl>
            {even.map((field) => (
              <EvenField key={field} field={field} contact={kept} />
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

const showTags = ({ tags }: Contact): string => tags.map(({ label }) => label).join(', ');

function EvenField({ field, contact }: { field: ComparedField; contact: Contact }) {
  const show = useShowValue();
  return (
    <div>
      <dt>{contactFields[field]}</dt>
      <dd>{show(field, contact[field])}</dd>
    </div>
  );
}

interface InfoRowProps {
  label: string;
  contacts: readonly Contact[];
  nameOf: (id: string) => string;
  of: (contact: Contact) => string;
}

/** A row that helps to choose. A merge does not change its values. */
function InfoRow({ label, contacts, nameOf, of }: InfoRowProps) {
  return (
    <tr>
      <th scope="row">{label}</th>
      {contacts.map((contact) => (
        <Cell key={contact.id} label={nameOf(contact.id)} value={of(contact)} />
      ))}
      <td className="comparison-info" />
    </tr>
  );
}

function FieldRow({
  field,
  contacts,
  kept,
  nameOf,
  result,
  takeFrom,
  onTake,
}: Omit<ComparisonProps, 'onKeep'> & { field: ComparedField }) {
  const group = useId();
  const show = useShowValue();
  const after = show(field, result?.[field]);
  const filled = contacts.filter((contact) => show(field, contact[field]) !== '');
  const hasChoice = new Set(filled.map((contact) => contact[field])).size > 1;
  const wantedId = takeFrom[field] ?? kept.id;
  const source =
    filled.find(({ id }) => id === wantedId) ?? filled.find(({ id }) => id === kept.id);
  return (
    <tr>
      <th scope="row">{contactFields[field]}</th>
      {contacts.map((contact) => {
        const { id } = contact;
        const value = show(field, contact[field]);
        const name = nameOf(id);
        const isLeft = value !== '' && after !== '' && value !== after;
        if (value === '' || !hasChoice) return <Cell key={id} label={name} value={value} />;
        return (
          <td key={id} data-label={name}>
            <label className="comparison-take">
              <input
                type="radio"
                name={group}
                aria-label={texts.take(contactFields[field], value, name)}
                checked={id === (source ?? filled[0])?.id}
                onChange={() => onTake(field, id)}
              />
              <Value value={value} isLeft={isLeft} />
            </label>
          </td>
        );
      })}
      <ResultCell
        value={result && after}
        isFilled={after !== '' && show(field, kept[field]) === ''}
      />
    </tr>
  );
}

interface CellProps {
  /** The head of the column. On a phone, the cell shows it. */
  label: string;
  value: string;
  isFilled?: boolean;
}

/** A value after the merge; undefined until the preview has arrived. */
function ResultCell({ value, isFilled }: { value: string | undefined; isFilled?: boolean }) {
  if (value === undefined) return <td data-label={texts.becomes}>…</td>;
  return <Cell label={texts.becomes} value={value} {...(isFilled !== undefined && { isFilled })} />;
}

function Cell({ label, value, isFilled = false }: CellProps) {
  return (
    <td data-label={label}>
      {value || texts.empty}
      {isFilled && <span className="comparison-filled"> · {texts.filled}</span>}
    </td>
  );
}

function Value({ value, isLeft }: { value: string; isLeft: boolean }) {
  if (!isLeft) return <span>{value}</span>;
  return (
    <span>
      <s>{value}</s>
      <span className="hidden-text"> {texts.leftBehind}</span>
    </span>
  );
}
