/** The members that an answer has only when the request includes them. */
export const LIST_INCLUDES = ['priceRange', 'totalCount', 'removed'] as const;
export type ListInclude = (typeof LIST_INCLUDES)[number];
export const PROJECT_INCLUDES = ['summary', 'priceRange'] as const;
export type ProjectInclude = (typeof PROJECT_INCLUDES)[number];
