/** The fields of an import that hold the id of something of the account. */
const REFERENCES = ['projectId', 'unitId', 'assignedAccountUserId'] as const;
export type Reference = (typeof REFERENCES)[number];

/** Whether a field holds an id. A column of another system may hold ids of that system. */
export function isReference(field: string | null): field is Reference {
  return REFERENCES.some((each) => each === field);
}
