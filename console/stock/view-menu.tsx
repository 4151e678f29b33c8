import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ifMatch, listItems, type View } from '../api.ts';
import { useAddress } from '../parts/address.ts';
import { CheckField, Field, FormButtons } from '../parts/field.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form, readText } from '../parts/form.tsx';
import { useColumnLayout, writeColumnLayout } from '../parts/grid/index.ts';
import { MenuButton } from '../parts/menu.tsx';
import { describeProblem } from '../parts/problem-texts.ts';
import { texts as shared } from '../parts/texts.ts';
import { showToast } from '../parts/toast.tsx';
import { useSession } from '../session/session.tsx';
import { readFilter, readSort, toFilterObject, toQuery } from './filter.ts';
import { COLUMNS, COLUMNS_KEY } from './columns-button.tsx';
import { texts } from './view-texts.ts';

const VIEWS_KEY = ['view', 'units'];

/** The menu of the saved views of units. A person opens, creates, changes and deletes views in it. */
export function ViewMenu() {
  const { query, change } = useAddress();
  const { can, userId } = useSession();
  const queries = useQueryClient();
  const [isSaving, setSaving] = useState(false);
  const { layout } = useColumnLayout(COLUMNS_KEY, COLUMNS);
  const { data: views = [] } = useQuery({
    queryKey: VIEWS_KEY,
    queryFn: async () => {
      const params = { query: { resource: 'units', sort: 'name' } as const };
      return await Array.fromAsync(listItems(api, '/views', { params }));
    },
    enabled: can('contacts:read'),
  });
  const view = views.find(({ id }) => id === query.get('view'));
  const isMine =
    view !== undefined && (view.shared ? can('settings:write') : view.owner.id === userId);
  const sort = readSort(query);
  const filter = toFilterObject(readFilter(query));
  const current = { filter, sort, columns: layout };

  function open(target: View): void {
    writeColumnLayout(COLUMNS_KEY, target.columns ?? null);
    change({ ...toQuery(target.filter), sort: target.sort ?? null, view: target.id });
  }

  async function create(values: FormData): Promise<void> {
    const name = readText(values, 'name') ?? '';
    const body = { resource: 'units', name, shared: values.has('shared'), ...current };
    const { data } = await api.POST('/views', { body: body as never });
    await queries.invalidateQueries({ queryKey: VIEWS_KEY });
    change({ view: data.id });
    setSaving(false);
  }

  async function action(id: 'save' | 'delete', target: View): Promise<void> {
    const params = { path: { viewId: target.id }, header: ifMatch(target.etag) };
    if (id === 'delete') {
      await api.DELETE('/views/{viewId}', { params });
      change({ view: null });
    } else {
      // The request is a merge patch: null removes a member that the filter no longer has.
      const removed = Object.fromEntries(Object.keys(target.filter).map((name) => [name, null]));
      const body = { ...current, filter: { ...removed, ...filter } };
      await api.PATCH('/views/{viewId}', { params, body: body as never });
    }
    await queries.invalidateQueries({ queryKey: VIEWS_KEY });
    showToast({ text: id === 'save' ? texts.saved(target.name) : texts.deleted(target.name) });
  }

  function choose(id: string): void {
    const target = views.find((each) => each.id === id);
    if (target !== undefined) open(target);
    else if (id === 'new') setSaving(true);
    else if (view !== undefined && (id === 'save' || id === 'delete'))
      action(id, view).catch((error: unknown) =>
        showToast({ text: describeProblem(error), look: 'error' }),
      );
  }

  if (!can('contacts:read')) return null;
  const choices = [
    ...views.map(({ id, name, shared: isShared }) => ({
      id,
      label: isShared ? texts.shared(name) : name,
    })),
    { id: 'new', label: texts.saveAs },
    ...(isMine
      ? [
          { id: 'save', label: texts.save(view.name) },
          { id: 'delete', label: texts.delete(view.name), isDanger: true },
        ]
      : []),
  ];
  return (
    <>
      <MenuButton
        label={<span className="units-view-name">{view?.name ?? texts.views}</span>}
        name={texts.menu}
        choices={choices}
        onChoose={choose}
      />
      {isSaving && (
        <Dialog title={texts.saveAs} onClose={() => setSaving(false)}>
          <Form onSubmit={create}>
            <Field label={texts.name} name="name" required maxLength={200} hint={texts.hint} />
            {can('settings:write') && <CheckField label={texts.share} name="shared" />}
            <FormButtons
              action={texts.saveAs}
              onCancel={() => setSaving(false)}
              cancel={shared.cancel}
            />
          </Form>
        </Dialog>
      )}
    </>
  );
}
