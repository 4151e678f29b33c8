import { useQuery } from '@tanstack/react-query';
import { api, listItems } from '../api.ts';
import { useDraft } from '../parts/draft/draft.ts';
import { AreaField, Field, FormButtons, SelectField } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { nameFields, toSentence } from '../parts/text/sentence.ts';
import { Notice } from '../parts/message/notice.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { problemOf, type ImportDetail } from './data.ts';
import { FIELD_NAMES, nameLeadField } from './field-texts.ts';
import { listFields, readTexts, writeLead, type LeadTexts } from './lead.ts';
import { useSettle } from './settle.ts';
import { texts } from './texts.ts';

/** The form that corrects a refused lead. Each faulty field says what is wrong. The form imports the lead with the corrected values. */
export function FixForm({
  record,
  onCancel,
  onDone,
}: {
  record: ImportDetail;
  onCancel: () => void;
  onDone: () => void;
}) {
  const { id, lead } = record;
  const [draft, setDraft, clearDraft] = useDraft(`fix:${id}`);
  const { retry } = useSettle(id);
  const values: LeadTexts = draft === '' ? readTexts(lead) : (JSON.parse(draft) as LeadTexts);
  const faults = readFaults(record);
  const fields = listFields(FIELD_NAMES, values, Object.keys(faults));
  const others =
    problemOf(record)?.errors?.filter(({ pointer }) => !(nameOf(pointer) in faults)) ?? [];
  const set = (name: string, value: string) =>
    setDraft(JSON.stringify({ ...values, [name]: value }));

  async function submit(): Promise<void> {
    if (!(await retry(writeLead(lead, fields, values)))) return;
    clearDraft();
    onDone();
  }

  return (
    <Form label={texts.fix.title} onSubmit={submit}>
      <p>{lead == null ? texts.fix.unreadable : texts.fix.about}</p>
      {others.length > 0 && (
        <Notice look="error">{others.map(({ detail }) => detail).join(' ')}</Notice>
      )}
      {fields.map((name, index) => (
        <LeadField
          key={name}
          name={name}
          value={values[name] ?? ''}
          projectId={values['projectId'] ?? ''}
          error={faults[name]}
          isFirst={
            name === (Object.keys(faults)[0] ?? fields[0]) || (index === 0 && fields.length === 1)
          }
          onChange={(value) => set(name, value)}
        />
      ))}
      <FormButtons action={texts.fix.action} cancel={shared.cancel} onCancel={onCancel} />
    </Form>
  );
}

const nameOf = (pointer = ''): string => pointer.split('/')[1] ?? '';

/** Reads the faults from the problem of an import, by the names of the fields. */
function readFaults(record: ImportDetail): Record<string, string> {
  const errors = problemOf(record)?.errors ?? [];
  const known = errors.filter(({ pointer }) => FIELD_NAMES.includes(nameOf(pointer)));
  return Object.fromEntries(
    known.map(({ pointer, detail }) => [
      nameOf(pointer),
      toSentence(nameFields(detail, nameLeadField)),
    ]),
  );
}

interface LeadFieldProps {
  name: string;
  value: string;
  /** The project of the lead, whose units can be chosen; empty for none. */
  projectId: string;
  error: string | undefined;
  /** Whether the field gets the focus. */
  isFirst: boolean;
  onChange: (value: string) => void;
}

function LeadField(props: LeadFieldProps) {
  const { name, value, projectId, error, isFirst, onChange } = props;
  const control = {
    label: nameLeadField(name),
    name,
    value,
    error,
    autoFocus: isFirst,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  };
  if (name === 'notes') return <AreaField {...control} />;
  if (name === 'projectId') return <ReferenceField {...props} kind="project" read={listProjects} />;
  if (name === 'unitId')
    return <ReferenceField {...props} kind="unit" read={() => listUnits(projectId)} />;
  if (name === 'assignedAccountUserId')
    return <ReferenceField {...props} kind="user" read={listPeople} />;
  return <Field {...control} required={name === 'email'} />;
}

/** The choice of a live project, one of its units, or an active person, by name: an id means nothing to people. */
function ReferenceField({
  name,
  value,
  projectId,
  error,
  isFirst,
  onChange,
  kind,
  read,
}: LeadFieldProps & { kind: 'project' | 'unit' | 'user'; read: () => Promise<Choice[]> }) {
  const { data: choices = [] } = useQuery({
    queryKey: [kind, 'choices', kind === 'unit' && projectId],
    queryFn: read,
  });
  const isKnown = choices.some(({ id }) => id === value);
  return (
    <SelectField
      label={nameLeadField(name)}
      name={name}
      value={value}
      error={error}
      autoFocus={isFirst}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{texts.fix.none}</option>
      {value !== '' && !isKnown && <option value={value}>{texts.fix.noNames}</option>}
      {choices.map(({ id, name: text }) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}

interface Choice {
  id: string;
  name?: string;
}

async function listProjects(): Promise<Choice[]> {
  const query = { publication: 'live', sort: 'name' } as const;
  const found: Choice[] = [];
  for await (const project of listItems(api, '/stock/projects', { params: { query } }))
    found.push(project);
  return found;
}

async function listUnits(project: string): Promise<Choice[]> {
  if (project === '') return [];
  const query = { project, limit: 500 };
  const found: Choice[] = [];
  for await (const unit of listItems(api, '/stock/units', { params: { query } })) found.push(unit);
  return found;
}

async function listPeople(): Promise<Choice[]> {
  const found: Choice[] = [];
  for await (const user of listItems(api, '/users', { params: { query: { active: true } } }))
    found.push(user);
  return found;
}
