/** The fields of an import that contain the id of a row of the account. */
const ID_FIELDS = ['projectId', 'unitId', 'assignedAccountUserId'] as const;
export type IdField = (typeof ID_FIELDS)[number];

/** Whether a field contains an id. A column of another system may have ids of that system. */
export function isIdField(field: string | null): field is IdField {
  return ID_FIELDS.some((each) => each === field);
}
