import { api, type ContactFile } from '../api.ts';
import { ButtonLink } from '../parts/button/button.tsx';
import { CheckField, FormButtons, SelectField } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { Notice } from '../parts/message/notice.tsx';
import { AllRows } from './all-rows.tsx';
import { ColumnTable } from './column-table.tsx';
import { areDatesUnclear, describeFault, isEmailMissing, useShownFile } from './files.ts';
import {
  findField,
  isLastFirst,
  isOfReport,
  looksLastFirst,
  makeStart,
  type DateOrder,
  type Plan,
} from './plan.ts';
import { RemoveFile } from './remove-file.tsx';
import { texts } from './texts.ts';

interface ColumnsStepProps {
  file: ContactFile;
  plan: Plan;
  change: (changes: Partial<Plan>) => void;
  /** Called when the dry run has begun. */
  onTried: () => void;
}

/** The step that maps the columns and sets the values of all rows. It ends with the start of a dry run. */
export function ColumnsStep({ file, plan, change, onTried }: ColumnsStepProps) {
  const showFile = useShownFile();
  const { columns, format } = file;
  const fields = columns.map((column) => findField(column, plan));
  const isUnclear = areDatesUnclear(file);
  const hasDates =
    isUnclear || fields.some((field) => field === 'createdAt' || field === 'noteDate');
  const lacksEmail = format !== 'ndjson' && !fields.includes('email');

  async function start(): Promise<void> {
    const { data } = await api.POST('/contact-files/{fileId}/start', {
      params: { path: { fileId: file.id } },
      body: { ...makeStart(file, plan), dryRun: true },
    });
    showFile(data);
    onTried();
  }

  const fault = describeFault(file);
  return (
    <>
      <Form onSubmit={start} label={texts.steps.columns}>
        <section className="import-part" aria-labelledby="import-columns-title">
          <h2 id="import-columns-title" tabIndex={-1}>
            {texts.columns.title}
          </h2>
          <p>{describeColumns(file, plan)}</p>
          {plan.isGuessed === true && <Notice look="warning">{texts.columns.guess}</Notice>}
          {fault !== undefined && !isUnclear && !isEmailMissing(file) && (
            <Notice look="error" title={texts.columns.problem}>
              {fault}
            </Notice>
          )}
          {lacksEmail && <LacksEmail columns={columns} />}
          <ColumnTable file={file} plan={plan} change={change} />
          {hasDates && (
            <div className="import-narrow">
              <SelectField
                label={texts.columns.dates}
                name="dateOrder"
                value={plan.dateOrder}
                required={isUnclear}
                onChange={(event) => change({ dateOrder: event.target.value as DateOrder | '' })}
                {...(isUnclear && { hint: texts.columns.datesUnclear })}
              >
                <option value="">{isUnclear ? '' : texts.columns.datesAsFile}</option>
                {Object.entries(texts.columns.dateOrders).map(([order, text]) => (
                  <option key={order} value={order}>
                    {text}
                  </option>
                ))}
              </SelectField>
            </div>
          )}
          {(plan.isLastFirst !== undefined || looksLastFirst(columns, plan)) && (
            <CheckField
              label={texts.columns.lastFirst}
              checked={isLastFirst(columns, plan)}
              onChange={(event) => change({ isLastFirst: event.target.checked })}
            />
          )}
        </section>
        <AllRows plan={plan} change={change} />
        {!lacksEmail && <FormButtons action={texts.columns.try} />}
      </Form>
      {/* The buttons are outside the form, because the dialog has a form of its own. */}
      <div className="import-buttons">
        <RemoveFile file={file} />
      </div>
    </>
  );
}

/** Says that the file lacks a column for the email. For a price list, it says where to send it. */
function LacksEmail({ columns }: Pick<ContactFile, 'columns'>) {
  if (!looksLikePriceList(columns)) return <Notice look="warning">{texts.columns.noEmail}</Notice>;
  return (
    <Notice
      look="warning"
      actions={<ButtonLink to="/stock/projects">{texts.columns.toProjects}</ButtonLink>}
    >
      {texts.columns.priceList}
    </Notice>
  );
}

function describeColumns({ columns, format }: ContactFile, { mapping }: Plan): string {
  if (format === 'ndjson') return texts.columns.ndjson;
  const unknown = columns.filter(
    (column) =>
      column.field === null &&
      column.samples.length > 0 &&
      !isOfReport(column) &&
      !Object.hasOwn(mapping, column.header),
  );
  return unknown.length === 0 ? texts.columns.known : texts.columns.unknown(unknown.length);
}

const PRICES = /price|beds?\b|bedrooms?/i;

/** Returns whether the columns look like a price list: units and prices without people. */
const looksLikePriceList = (columns: ContactFile['columns']): boolean =>
  columns.some(({ field }) => field === 'unit' || field === 'project') &&
  columns.some(({ header }) => PRICES.test(header));
