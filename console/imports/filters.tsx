import { useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { useAddress } from '../parts/address.ts';
import { Button } from '../parts/button.tsx';
import { texts } from './texts.ts';

const SHOWN = ['open', 'all', 'refused', 'created', 'merged'] as const;

/** The filters of the log. The address holds their values. */
export function Filters() {
  const { query, change } = useAddress();
  const file = query.get('file');
  const set = (name: string) => (value: string) => change({ [name]: value });
  return (
    <>
      <Choice
        label={texts.filters.show}
        value={query.get('show') ?? 'open'}
        options={SHOWN.map((each) => [each, texts.filters[each]])}
        onChange={(value) => change({ show: value === 'open' ? null : value })}
      />
      <Choice
        label={texts.filters.channel}
        value={query.get('channel') ?? ''}
        options={[['', texts.filters.anyChannel], ...Object.entries(texts.channels)]}
        onChange={set('channel')}
      />
      <Choice
        label={texts.filters.code}
        value={query.get('code') ?? ''}
        options={[['', texts.filters.anyCode], ...Object.entries(texts.filters.codes)]}
        onChange={set('code')}
      />
      <Day label={texts.filters.after} value={query.get('from')} onChange={set('from')} />
      <Day label={texts.filters.before} value={query.get('to')} onChange={set('to')} />
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

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: [value: string, text: string][];
  onChange: (value: string) => void;
}) {
  return (
    <select
      className="control"
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {options.map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  );
}

function Day({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string | null;
  onChange: (value: string) => void;
}) {
  return (
    <label className="day-filter log-day">
      {label}
      <input
        type="date"
        className="control"
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
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
