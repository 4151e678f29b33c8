/** The fields of an import that contain the id of a row of the account. */
const REFERENCES = ['projectId', 'unitId', 'assignedAccountUserId'] as const;
export type Reference = (typeof REFERENCES)[number];

/** Whether a field contains an id. A column of another system may have ids of that system. */
export function isReference(field: string | null): field is Reference {
  return REFERENCES.some((each) => each === field);
}
