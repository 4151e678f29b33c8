import { useState } from 'react';
import { Card } from '../parts/card.tsx';
import { CheckField } from '../parts/field.tsx';
import { areSingleKeysOn, switchSingleKeys } from '../parts/single-keys.ts';
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
