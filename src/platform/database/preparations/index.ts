export { prepareContactLists } from './contact-keys.ts';
export { foldKeys, refuseEqualUsers } from './fold-keys.ts';
export { fillProjectNames } from './project-names.ts';
export { prepareUnitLists } from './unit-keys.ts';
