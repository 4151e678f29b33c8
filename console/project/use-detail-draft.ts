import { useMemo } from 'react';
import type { Project } from '../api.ts';
import { readDraft as readStored, useDraft } from '../parts/draft/draft.ts';
import { askAboutConflict } from '../parts/edit/conflict.ts';
import { useSession } from '../session/session.tsx';
import { findLastProjectChange } from '../stock/project-data.ts';
import { fieldText, type DetailName } from './fields.ts';
import { texts } from './texts.ts';

/** An edited field: the typed text, and the text before the edit. */
interface Touched {
  base: string;
  text: string;
}
type Draft = Partial<Record<DetailName, Touched>>;

/** Stores the edited fields of a project that are not saved. They survive a reload. */
export function useDetailDraft(project: Project) {
  const { userId } = useSession();
  const subject = `project:${project.id}`;
  const [stored, store, clear] = useDraft(subject);
  const draft = useMemo(() => readDraft(stored), [stored]);
  const names = Object.keys(draft) as DetailName[];

  function type(name: DetailName, text: string): void {
    const base = draft[name]?.base ?? fieldText(project, name);
    const { [name]: _, ...others } = draft;
    const next = text === base ? others : { ...others, [name]: { base, text } };
    store(Object.keys(next).length === 0 ? '' : JSON.stringify(next));
  }

  /**
   * Asks about fields that were changed since the person edited them. Returns the names of the fields to send, or undefined when
   * the person goes back to the form.
   */
  async function findWanted(): Promise<DetailName[] | undefined> {
    const moved = names.filter((name) => {
      const now = fieldText(project, name);
      return now !== draft[name]?.base && now !== draft[name]?.text;
    });
    if (moved.length === 0) return names;
    const fields = moved.map((name) => ({
      label: texts.fields[name] ?? name,
      theirs: fieldText(project, name),
      mine: draft[name]?.text ?? '',
    }));
    const by = await findLastProjectChange(project.id, moved).catch(() => undefined);
    const answer = await askAboutConflict({ fields, by });
    if (answer === 'back') return undefined;
    return answer === 'mine' ? names : names.filter((name) => !moved.includes(name));
  }

  /** Drops the edits that were sent. An edit that the person has typed during the save stays. */
  function dropSent(): void {
    const left = Object.entries(readDraft(readStored(userId, subject))).flatMap(([name, edit]) => {
      const sent = draft[name as DetailName]?.text;
      return edit.text === sent ? [] : [[name, { ...edit, base: sent ?? edit.base }] as const];
    });
    store(left.length === 0 ? '' : JSON.stringify(Object.fromEntries(left)));
  }

  return {
    names,
    textOf: (name: DetailName): string => draft[name]?.text ?? fieldText(project, name),
    type,
    findWanted,
    dropSent,
    clear,
  };
}

function readDraft(stored: string): Draft {
  try {
    return stored === '' ? {} : (JSON.parse(stored) as Draft);
  } catch {
    return {};
  }
}
