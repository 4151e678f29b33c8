import { texts } from '../text/texts.ts';
import { Popup } from './popup.tsx';
import './help.css';

/** A "?" button beside a word. It opens an explanation of one or two sentences. */
export function Help({ word, children }: { word: string; children: string }) {
  return (
    <Popup className="help" name={texts.help(word)} title={word} button="?">
      {() => <p className="help-text">{children}</p>}
    </Popup>
  );
}
