/* Work in code on stored rows before a migration. Three migrations name a file here by its former place, one folder above. */

export { prepareContactLists } from './contact-keys.ts';
export { foldKeys, refuseEqualUsers } from './fold-keys.ts';
export { fillProjectNames } from './project-names.ts';
export { prepareUnitLists } from './unit-keys.ts';
