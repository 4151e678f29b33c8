import { useEffect, useState } from 'react';
import type { Contact } from '../api.ts';
import { askForUnit, isLinkedToUnit, type UnitQuestion } from '../contact/unit-question.ts';
import { lazyDialog } from '../parts/page/lazy-part.tsx';
import { pageTitles } from '../frame/texts.ts';
import { FilterChoice } from '../parts/form/filter-choice.tsx';
import { FindChoice } from '../parts/form/find-choice.tsx';
import { useAddress } from '../parts/browser/address.ts';
import { useProjects, useUsers } from '../parts/domain/names.ts';
import { STAGES } from '../parts/domain/status.tsx';
import { Page } from '../parts/page/page.tsx';
import type { BoardFilter } from './board.ts';
import { Column } from './column.tsx';
import { useMove } from './move.ts';
import { TagFilter } from './tag-filter.tsx';
import { texts } from './texts.ts';
import './pipeline.css';

const AskUnit = lazyDialog(() => import('../contact/ask-unit.tsx'));

/** The board: a column for each stage, a card for each contact. */
export function Pipeline() {
  const { query, change } = useAddress();
  const filter = readFilter(query);
  const move = useMove(filter);
  const [question, ask] = useState<UnitQuestion>();
  // A person types the unit right after the stage.
  useEffect(() => AskUnit.preload(), []);
  const chosen = STAGES.find((stage) => stage === query.get('stage')) ?? 'New';

  function moveOrAsk(contact: Contact, stage: string): void {
    if (stage === contact.stage) return;
    const hasUnit = isLinkedToUnit(contact);
    askForUnit(ask, { contact, hasUnit, stage, move: (seen) => void move(seen, stage) });
  }

  return (
    <Page title={pageTitles.pipeline} tools={<Tools filter={filter} />} isFull>
      <FilterChoice
        className="control board-stage"
        label={texts.stage}
        value={chosen}
        options={STAGES.map((stage) => ({ id: stage, name: stage }))}
        onChange={(stage) => change({ stage }, { replace: true })}
      />
      <div className="board">
        {STAGES.map((stage) => (
          <Column
            key={stage}
            stage={stage}
            filter={filter}
            isChosen={stage === chosen}
            onMove={moveOrAsk}
          />
        ))}
      </div>
      {question && <AskUnit {...question} onClose={() => ask(undefined)} />}
    </Page>
  );
}

const FILTER_NAMES = ['project', 'assignedTo', 'tag'] as const;

function readFilter(query: URLSearchParams): BoardFilter {
  const pairs = FILTER_NAMES.map((name) => [name, query.get(name)]);
  return Object.fromEntries(pairs.filter(([, value]) => value)) as BoardFilter;
}

function Tools({ filter }: { filter: BoardFilter }) {
  const { change } = useAddress();
  const projects = useProjects();
  const users = useUsers();
  return (
    <>
      <FindChoice
        label={texts.project}
        value={filter.project ?? ''}
        options={[{ id: '', name: texts.allProjects }, ...projects]}
        onChange={(project) => change({ project })}
      />
      <FindChoice
        label={texts.assignedTo}
        value={filter.assignedTo ?? ''}
        options={[{ id: '', name: texts.anybody }, { id: 'none', name: texts.nobody }, ...users]}
        onChange={(assignedTo) => change({ assignedTo })}
      />
      <TagFilter value={filter.tag ?? ''} onChange={(tag) => change({ tag })} />
    </>
  );
}
