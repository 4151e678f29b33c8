import { useMemo } from 'react';
import type { ContactFile, components } from '../api.ts';
import { useDraft } from '../parts/draft/draft.ts';

export type Column = ContactFile['columns'][number];
export type Field = NonNullable<Column['field']>;
export type StartBody = components['schemas']['StartContactFile'];
export type DateOrder = NonNullable<StartBody['dateOrder']>;

/** The choices that a person makes for a file before the import. */
export interface Plan {
  /** The fields of columns by header, only where they differ from the recognized ones. */
  mapping: Record<string, Field | null>;
  source: string;
  tags: string;
  projectId: string;
  assignedTo: string;
  dateOrder: DateOrder | '';
  /** Undefined until the person chooses; until then `looksLastFirst` guesses it from the samples. */
  isLastFirst?: boolean;
  /** Whether the encoding of the file is a guess. */
  isGuessed?: boolean;
  /** The body that started the latest dry run, as a text. */
  tried?: string;
}

const EMPTY_PLAN: Plan = {
  mapping: {},
  source: '',
  tags: '',
  projectId: '',
  assignedTo: '',
  dateOrder: '',
};

/**
 * Stores the plan of a file. It survives a reload, like every draft. The file of refused rows begins with the plan of the file whose
 * rows they are: the latest one of this name, or else, when the person has renamed the refused rows, with these columns.
 */
export function usePlan(file: ContactFile): [Plan, (changes: Partial<Plan>) => void] {
  const { id, columns } = file;
  const [text, write] = useDraft(planName(id));
  const [ofName, writeOfName] = useDraft(planName(nameSource(file)));
  const [ofColumns, writeOfColumns] = useDraft(planName(nameColumns(file)));
  const last = ofName || ofColumns;
  const plan = useMemo(
    () => ({
      ...EMPTY_PLAN,
      ...(columns.some(isOfReport) && adoptPlan(last, columns)),
      ...(text === '' ? {} : (JSON.parse(text) as Partial<Plan>)),
    }),
    [text, last, columns],
  );
  const change = (changes: Partial<Plan>): void => {
    const next = JSON.stringify({ ...plan, ...changes });
    write(next);
    writeOfName(next);
    writeOfColumns(next);
  };
  return [plan, change];
}

/** Makes the plan of a file from the plan of another one, with the columns that the file has. */
function adoptPlan(text: string, columns: readonly Column[]): Partial<Plan> {
  if (text === '') return {};
  const { mapping, ...others } = JSON.parse(text) as Plan;
  const known = Object.entries(mapping).filter(([name]) =>
    columns.some(({ header }) => header === name),
  );
  return { ...others, mapping: Object.fromEntries(known), isGuessed: false };
}

/** Returns whether the service has added a column to the refused rows of a file: it is for the service alone. */
export const isOfReport = ({ header }: Column): boolean => header.startsWith('offplan_');

/** Names the draft of the plan for a file, for files of a name, or for files with the same columns. */
export const planName = (of: string): string => `import:${of}`;

/** Returns the name of the file from which refused rows come: without ` - refused rows`, and without the ` (1)` of a second download. */
const nameSource = ({ name }: ContactFile): string =>
  name.replace(/( - refused rows( ?\(\d+\))?)?(\.\w+)?$/, '');

const nameColumns = ({ columns }: ContactFile): string =>
  JSON.stringify(columns.filter((column) => !isOfReport(column)).map(({ header }) => header));

/** Finds the field that a plan gives to a column. */
export const findField = ({ header, field }: Column, { mapping }: Plan): Field | null =>
  Object.hasOwn(mapping, header) ? (mapping[header] ?? null) : field;

/** Returns whether the samples of a full name look like "Ngata, Aroha". */
export function looksLastFirst(columns: readonly Column[], plan: Plan): boolean {
  return columns.some(
    (column) =>
      findField(column, plan) === 'name' &&
      column.samples.some((sample) => /^[^,]+, *[^,\s][^,]*$/.test(sample.trim())),
  );
}

/** Whether the family name comes first: as the person chose, or else as the samples look. */
export const isLastFirst = (columns: readonly Column[], plan: Plan): boolean =>
  plan.isLastFirst ?? looksLastFirst(columns, plan);

/** Makes the body of the request that starts an import with a plan. */
export function makeStart({ columns }: ContactFile, plan: Plan): StartBody {
  const tags = plan.tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const set = {
    ...(plan.source !== '' && { source: plan.source }),
    ...(tags.length > 0 && { tags }),
    ...(plan.projectId !== '' && { projectId: plan.projectId }),
    ...(plan.assignedTo !== '' && { assignedAccountUserId: plan.assignedTo }),
  };
  return {
    ...(Object.keys(plan.mapping).length > 0 && { mapping: plan.mapping }),
    ...(Object.keys(set).length > 0 && { set }),
    ...(plan.dateOrder !== '' && { dateOrder: plan.dateOrder }),
    ...(isLastFirst(columns, plan) && { nameOrder: 'last-first' }),
  };
}
