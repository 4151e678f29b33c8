/* Work in code on stored rows before a migration. Three migrations name these files by their former paths, one folder above. */

export { prepareContactLists } from './contact-keys.ts';
export { foldKeys, refuseEqualUsers } from './fold-keys.ts';
export { fillProjectNames } from './project-names.ts';
export { prepareUnitLists } from './unit-keys.ts';
