import { useState } from 'react';
import { CheckField } from '../parts/form/field.tsx';
import { areSingleKeysOn, switchSingleKeys } from '../parts/keyboard/single-keys.ts';
import { Card } from '../parts/page/card.tsx';
import { texts } from './texts.ts';

/** The setting that switches single-key shortcuts on and off in this browser. */
export function Keys() {
  const [isOn, setOn] = useState(areSingleKeysOn);
  return (
    <Card title={texts.shortcuts}>
      <CheckField
        label={texts.shortcutsLabel}
        hint={texts.shortcutsHint}
        checked={isOn}
        onChange={({ target }) => {
          switchSingleKeys(target.checked);
          setOn(target.checked);
        }}
      />
    </Card>
  );
}
