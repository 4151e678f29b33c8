import { useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { useAddress } from '../parts/browser/address.ts';
import { Button } from '../parts/button/button.tsx';
import { FilterChoice, listOptions } from '../parts/form/filter-choice.tsx';
import { FilterDay } from '../parts/form/filter-day.tsx';
import { texts } from './texts.ts';

const SHOWN = ['open', 'all', 'refused', 'created', 'merged'] as const;

/** The filters of the log. The address holds their values. */
export function Filters() {
  const { query, change } = useAddress();
  const file = query.get('file');
  const set = (name: string) => (value: string) => change({ [name]: value });
  return (
    <>
      <FilterChoice
        label={texts.filters.show}
        value={query.get('show') ?? 'open'}
        options={listOptions(SHOWN, texts.filters)}
        onChange={(value) => change({ show: value === 'open' ? null : value })}
      />
      <FilterChoice
        label={texts.filters.channel}
        value={query.get('channel') ?? ''}
        options={[
          { id: '', name: texts.filters.anyChannel },
          ...listOptions(Object.keys(texts.channels), texts.channels),
        ]}
        onChange={set('channel')}
      />
      <FilterChoice
        label={texts.filters.code}
        value={query.get('code') ?? ''}
        options={[
          { id: '', name: texts.filters.anyCode },
          ...listOptions(Object.keys(texts.filters.codes), texts.filters.codes),
        ]}
        onChange={set('code')}
      />
      <FilterDay
        label={texts.filters.after}
        value={query.get('from') ?? ''}
        onChange={set('from')}
      />
      <FilterDay label={texts.filters.before} value={query.get('to') ?? ''} onChange={set('to')} />
      {file !== null && (
        <span className="log-file">
          <FileName id={file} />
          <Button look="bare" icon="close" isIconOnly onClick={() => change({ file: null })}>
            {texts.filters.dropFile}
          </Button>
        </span>
      )}
    </>
  );
}

/** Shows the name of a file once it is known. The console cannot read the name of a file that the command imported. */
function FileName({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ['contact_file', id],
    queryFn: async () =>
      (await api.GET('/contact-files/{fileId}', { params: { path: { fileId: id } } })).data,
    retry: false,
  });
  return <span>{texts.filters.file(data?.name ?? texts.filters.thisFile)}</span>;
}
