import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, type Unit } from '../../api.ts';
import { Button } from '../../parts/button/button.tsx';
import { nameContact } from '../../parts/domain/contact-name.ts';
import { Stage } from '../../parts/domain/status.tsx';
import { formatTime } from '../../parts/text/format.ts';
import { useSession } from '../../session/session.tsx';
import { describeUnitValue } from '../describe.ts';
import { stockTexts } from '../stock-texts.ts';
import type { ChangeUnit } from '../use-unit-changes.tsx';
import { FloorPlan } from './floor-plan.tsx';
import { sectionTexts as texts } from './section-texts.ts';

/** The sections of the drawer below the fields: the floor plan, the interested contacts, and the changes of the unit. */
export default function UnitSections({ unit, changeUnit }: { unit: Unit; changeUnit: ChangeUnit }) {
  const { can } = useSession();
  return (
    <>
      <FloorPlan unit={unit} changeUnit={changeUnit} />
      {can('contacts:read') && <Contacts unitId={unit.id} />}
      <History unit={unit} />
    </>
  );
}

const SHOWN_CONTACTS = 10;

function Contacts({ unitId }: { unitId: string }) {
  const { data } = useQuery({
    queryKey: ['contact', 'of-unit', unitId],
    queryFn: async () => {
      const query = { unit: unitId, limit: SHOWN_CONTACTS, sort: '-lastActivityAt' as const };
      return (await api.GET('/contacts', { params: { query } })).data;
    },
  });
  return (
    <section className="drawer-part">
      <h3>{texts.contacts}</h3>
      {data?.data.length === 0 && <p className="soft">{texts.noContacts}</p>}
      <ul>
        {data?.data.map((contact) => (
          <li key={contact.id} className="drawer-row">
            <Link href={`/contacts/${contact.id}`}>{nameContact(contact)}</Link>
            <Stage stage={contact.stage} />
          </li>
        ))}
      </ul>
      {data?.pagination.hasNextPage === true && (
        <Link href={`/contacts?unit=${unitId}`}>{texts.allContacts}</Link>
      )}
    </section>
  );
}

const SHOWN_CHANGES = 10;

function History({ unit }: { unit: Unit }) {
  const [limit, setLimit] = useState(SHOWN_CHANGES);
  const { data } = useQuery({
    queryKey: ['unit', 'history', unit.id, limit],
    queryFn: async () => {
      const params = { path: { unitId: unit.id }, query: { limit } };
      return (await api.GET('/stock/units/{unitId}/changes', { params })).data;
    },
    placeholderData: (before) => before,
  });
  return (
    <section className="drawer-part">
      <h3>{texts.history}</h3>
      {data?.data.length === 0 && <p className="soft">{texts.noHistory}</p>}
      <ol>
        {data?.data.map(({ id, field, before, after, at, actor }) => (
          <li key={id} className="drawer-change">
            {texts.change(
              stockTexts.fields[field] ?? field,
              describeUnitValue(field, before, unit),
              describeUnitValue(field, after, unit),
            )}
            <p className="soft">{[actor.name, formatTime(at)].filter(Boolean).join(', ')}</p>
          </li>
        ))}
      </ol>
      {data?.pagination.hasNextPage === true && (
        <Button look="bare" onClick={() => setLimit((before) => before + 40)}>
          {texts.moreHistory}
        </Button>
      )}
    </section>
  );
}
