import type { Organization } from '../api.ts';
import { useDraft } from '../parts/draft/draft.ts';
import type { SettingName } from './fields.ts';

interface SectionDraft {
  typed: Partial<Record<SettingName, string>>;
  /** The settings as they were when the person began to type: a later change by others is then a conflict. */
  seen: Organization;
}

/** The changes of a section that are not saved yet. They survive a reload. */
export function useSectionDraft(id: string, organization: Organization) {
  const [text, write, clear] = useDraft(`organization:${id}`);
  const { typed, seen } = (
    text === '' ? { typed: {}, seen: organization } : JSON.parse(text)
  ) as SectionDraft;
  return {
    typed,
    seen,
    isTyped: text !== '',
    type: (name: SettingName, value: string): void =>
      write(JSON.stringify({ typed: { ...typed, [name]: value }, seen } satisfies SectionDraft)),
    clear,
  };
}
