import { useQueryClient } from '@tanstack/react-query';
import type { Organization } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { FormButtons } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { Card } from '../parts/page/card.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import type { SECTIONS, SettingName } from './fields.ts';
import { ORGANIZATION_KEY, useOrganizationEdits } from './organization.ts';
import { SettingField } from './setting-field.tsx';
import { texts } from './texts.ts';
import { useSectionDraft } from './use-section-draft.ts';

/** Some settings that are saved together. The typed values stay until they are saved or discarded. */
export function SettingSection({
  section,
  organization,
  isOwner,
}: {
  section: (typeof SECTIONS)[number];
  organization: Organization;
  isOwner: boolean;
}) {
  const { id, settings } = section;
  const queries = useQueryClient();
  const save = useOrganizationEdits();
  const draft = useSectionDraft(id, organization);
  const required = new Set(settings.filter((each) => each.isRequired).map(({ name }) => name));

  async function submit(): Promise<void> {
    const changed = Object.entries(draft.typed)
      .map(([name, text]): [string, string | null] => [
        name,
        text.trim() === '' && !required.has(name as SettingName) ? null : text.trim(),
      ])
      .filter(([name, value]) => value !== (draft.seen[name as SettingName] ?? null));
    if (changed.length > 0) await save(Object.fromEntries(changed), draft.seen);
    draft.dropSent(queries.getQueryData<Organization>(ORGANIZATION_KEY) ?? organization);
  }

  return (
    <Card title={texts.sections[id]}>
      <p className="soft">{texts.explain[id]}</p>
      <Form label={texts.sections[id]} onSubmit={submit}>
        <fieldset className="organization-fields" disabled={!isOwner}>
          {settings.map((setting) => (
            <SettingField
              key={setting.name}
              setting={setting}
              value={draft.typed[setting.name] ?? organization[setting.name] ?? ''}
              onChange={(text) => draft.type(setting.name, text)}
            />
          ))}
        </fieldset>
        {isOwner && (
          <div className="form-buttons">
            {draft.isTyped && (
              <Button look="bare" onClick={draft.clear}>
                {texts.discard}
              </Button>
            )}
            <FormButtons action={shared.save} look="plain" />
          </div>
        )}
      </Form>
    </Card>
  );
}
