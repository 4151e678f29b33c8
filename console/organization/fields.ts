import type { Organization } from '../api.ts';
import { texts } from './texts.ts';

export type SettingName = Exclude<keyof typeof texts.labels, 'logoImage'>;

export interface Setting {
  name: SettingName;
  type: 'text' | 'email' | 'tel' | 'url' | 'area' | 'choice' | 'zone' | 'currency';
  isRequired?: boolean;
}

export type SectionId = keyof typeof texts.sections;

/** The settings of the account, by the section that saves them together. */
export const SECTIONS: readonly { id: SectionId; settings: readonly Setting[] }[] = [
  {
    id: 'shown',
    settings: [
      { name: 'displayName', type: 'text', isRequired: true },
      { name: 'companyName', type: 'text', isRequired: true },
      { name: 'intro', type: 'area' },
      { name: 'email', type: 'email', isRequired: true },
      { name: 'phone', type: 'tel' },
      { name: 'location', type: 'text', isRequired: true },
      { name: 'websiteUrl', type: 'url', isRequired: true },
    ],
  },
  {
    id: 'work',
    settings: [
      { name: 'timeZone', type: 'zone', isRequired: true },
      { name: 'defaultCurrency', type: 'currency' },
      { name: 'agentsSee', type: 'choice' },
    ],
  },
  { id: 'signIn', settings: [{ name: 'secondStepFor', type: 'choice' }] },
];

/** The choices of a setting that has a few, with their words. */
export function listOptions(name: SettingName): [value: string, label: string][] {
  const options: Record<string, Record<string, string>> = texts.options;
  return Object.entries(options[name] ?? {});
}

/** The value of a setting as a person reads it. */
export function showSetting(name: SettingName, organization: Partial<Organization>): string {
  const value = organization[name] ?? '';
  return listOptions(name).find(([option]) => option === value)?.[1] ?? value;
}
