import { Popup } from './popup.tsx';
import { texts } from './texts.ts';
import './help.css';

/** A "?" button beside a word. It opens an explanation of one or two sentences. */
export function Help({ word, children }: { word: string; children: string }) {
  return (
    <Popup className="help" name={texts.help(word)} title={word} button="?">
      {() => <p className="help-text">{children}</p>}
    </Popup>
  );
}
