import { texts } from './texts.ts';

/** Matches characters that are invisible, or that change how others are shown. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0\ufffd]/gu;
const PICTURES_START = 0x2400;

/** Shows a text as it was received, with marks for invisible characters. */
export function Payload({ text }: { text: string }) {
  const parts: { text: string; mark?: string }[] = [];
  let at = 0;
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    parts.push({ text: text.slice(at, index) }, { text: character, mark: character });
    at = index + character.length;
  }
  parts.push({ text: text.slice(at) });
  const hasMarks = parts.some(({ mark }) => mark !== undefined && mark !== '\n');
  return (
    <>
      <pre className="log-payload">
        {parts.map(({ text: part, mark }, index) =>
          mark === undefined ? (
            part
          ) : (
            // The parts never change their order, so the index is a stable key.
            // oxlint-disable-next-line react/no-array-index-key
            <Mark key={index} character={mark} />
          ),
        )}
      </pre>
      {hasMarks && <p className="soft">{texts.drawer.marks}</p>}
    </>
  );
}

function Mark({ character }: { character: string }) {
  const code = character.codePointAt(0) ?? 0;
  const picture = code < 0x20 ? String.fromCodePoint(PICTURES_START + code) : undefined;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return (
    <>
      <span className="log-mark" title={name}>
        {picture ?? name}
      </span>
      {character === '\n' && '\n'}
    </>
  );
}
