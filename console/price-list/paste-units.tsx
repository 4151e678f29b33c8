import { useState } from 'react';
import { FilterChoice } from '../parts/form/filter-choice.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { useDialogDraft } from '../parts/draft/dialog-draft.ts';
import { AreaField, CheckField, FormButtons } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { ProjectChoice } from '../stock/project-choice.tsx';
import { stockTexts } from '../stock/stock-texts.ts';
import { ListPreview } from './list-preview.tsx';
import { COLUMNS, findColumn, isFilled, readCells, writeList } from './paste.ts';
import { planList, type ListPlan } from './send-list.ts';
import { texts } from './texts.ts';
import './paste-units.css';

const SAMPLE_COUNT = 3;

interface Pasted {
  /** The chosen project, in the list of all projects. */
  project?: string;
  text: string;
  /** The chosen columns, where they differ from those of the heads. Each key has the index, and the column that the head names. */
  chosen: Record<string, string>;
  /** Whether the first row has the heads, when the person has said so. */
  ownHead?: boolean;
}

/** The dialog that changes units by cells from a spreadsheet. The person pastes them, names the columns, checks the preview, and stores it. */
export default function PasteUnits({
  projectId,
  onClose,
}: {
  projectId: string | undefined;
  onClose: () => void;
}) {
  const [draft, write] = useDialogDraft(`pasted-units:${projectId ?? ''}`);
  const pasted: Pasted = draft === '' ? { text: '', chosen: {} } : (JSON.parse(draft) as Pasted);
  const keep = (changes: Partial<Pasted>): void => write(JSON.stringify({ ...pasted, ...changes }));
  const { project = projectId ?? '', text, chosen, ownHead } = pasted;
  const [plan, setPlan] = useState<ListPlan>();

  const pastedRows = readCells(text);
  const blankCount = pastedRows.findIndex(isFilled);
  const cells = pastedRows.slice(Math.max(blankCount, 0));
  const found = (cells[0] ?? []).map((cell) => findColumn(cell, stockTexts.fields));
  const hasHead = ownHead ?? found.some((column) => column !== '');
  const width = Math.max(0, ...cells.map((row) => row.length));
  // The person may paste other cells later. A choice counts only for the head for which it was made.
  const keyOf = (index: number): string => `${index} ${found[index] ?? ''}`;
  const columns = Array.from(
    { length: width },
    (_, index) => chosen[keyOf(index)] ?? (hasHead ? (found[index] ?? '') : ''),
  );
  const rows = hasHead ? cells.slice(1) : cells;
  const namesUnit = columns.includes('lotNumber') || columns.includes('name');

  async function read(): Promise<void> {
    const next = await planList(project, writeList(rows, columns));
    const refused = next.refused.map((cell) => {
      // The service counts the head as row 1, also when no head was pasted.
      const named = nameCell(rows[cell.row - 2] ?? [], columns, cell.column);
      return {
        ...cell,
        row: cell.row + blankCount - (hasHead ? 0 : 1),
        reason: named === '' ? cell.reason : texts.paste.refused(named, cell.reason),
      };
    });
    setPlan({ ...next, refused });
  }

  // Each step is a dialog of its own, so that the focus does not stay on a button that is gone.
  if (plan !== undefined)
    return (
      <Dialog key="preview" title={texts.paste.title} shape="wide" onClose={onClose}>
        <ListPreview
          plan={plan}
          onReload={read}
          onBack={() => setPlan(undefined)}
          onDone={onClose}
        />
      </Dialog>
    );
  return (
    <Dialog title={texts.paste.title} shape="wide" onClose={onClose}>
      <Form onSubmit={read}>
        <p className="soft">{texts.paste.explain}</p>
        {projectId === undefined && (
          <ProjectChoice value={project} onChange={(id) => keep({ project: id })} />
        )}
        <AreaField
          label={texts.paste.label}
          name="cells"
          required
          rows={6}
          value={text}
          onChange={({ target }) => keep({ text: target.value })}
        />
        {cells.length > 0 && (
          <>
            <CheckField
              label={texts.paste.first}
              checked={hasHead}
              onChange={({ target }) => keep({ ownHead: target.checked })}
            />
            <Sample
              rows={rows.filter(isFilled).slice(0, SAMPLE_COUNT)}
              columns={columns}
              onChoose={(index, name) => keep({ chosen: { ...chosen, [keyOf(index)]: name } })}
            />
            {!namesUnit && <p role="status">{texts.paste.noUnit}</p>}
          </>
        )}
        {namesUnit && rows.length > 0 ? (
          <FormButtons action={texts.paste.preview} onCancel={onClose} cancel={shared.cancel} />
        ) : null}
      </Form>
    </Dialog>
  );
}

/** Names a cell for the person by its unit and its value, as far as the row has them. */
function nameCell(row: readonly string[], columns: readonly string[], column: string): string {
  const read = (name: string): string => row[columns.indexOf(name)]?.trim() ?? '';
  const value = read(column);
  const unit = read('name') || read('lotNumber');
  const parts = [unit === value ? '' : unit, value && texts.paste.quoted(value)];
  return parts.filter((part) => part !== '').join(', ');
}

/** Names a column as a spreadsheet does: A to Z, then AA. */
function nameColumn(index: number): string {
  const before = index < 26 ? '' : nameColumn(Math.floor(index / 26) - 1);
  return before + String.fromCodePoint(65 + (index % 26));
}

interface SampleProps {
  rows: readonly string[][];
  columns: readonly string[];
  onChoose: (index: number, name: string) => void;
}

/** The first pasted rows, below the choice of each column. */
function Sample({ rows, columns, onChoose }: SampleProps) {
  return (
    <div className="paste-columns">
      {columns.map((column, index) => {
        const letter = nameColumn(index);
        return (
          <div key={letter} className="paste-column">
            <FilterChoice
              label={texts.paste.column(letter)}
              value={column}
              options={[
                { id: '', name: texts.paste.leaveOut },
                ...COLUMNS.map((id) => ({ id, name: stockTexts.fields[id] ?? id })),
              ]}
              onChange={(value) => onChoose(index, value)}
            />
            <ul aria-label={texts.paste.sample}>
              {rows.map((row) => (
                <li key={row.join('\t')}>{row[index] ?? ''}</li>
              ))}
            </ul>
          </div>
        );
      })}
    </div>
  );
}
