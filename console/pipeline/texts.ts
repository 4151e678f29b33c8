import { formatCount, formatNumber } from '../parts/text/format.ts';

export const texts = {
  anybody: 'Anybody',
  assignedTo: 'Assigned to',
  column: (stage: string, count: string) => `${stage}, ${count}`,
  count: (count: number, isMore: boolean) =>
    isMore ? `more than ${formatNumber(count)}` : formatCount(count, 'person', 'people'),
  empty: 'Nobody here',
  emptyBoard: 'No contacts yet. Import a file, or connect your website.',
  emptyByFilter: 'No contact fits these filters.',
  clearFilters: 'Clear filters',
  importFile: 'Import a file',
  folded: (count: number, isMore: boolean) => `${formatNumber(count)}${isMore ? '+' : ''}`,
  fold: (stage: string) => `Hide ${stage}`,
  unfold: (stage: string) => `Show ${stage}`,
  lastActivity: (ago: string) => `Last activity: ${ago}`,
  loadMore: (count: number) => `Show ${count} more`,
  loadingBoard: 'Loading the board',
  move: (name: string) => `Move ${name}`,
  moved: (name: string, stage: string) => `${name} is at ${stage} now`,
  movedBack: (name: string, stage: string) => `${name} is at ${stage} again`,
  nobody: 'Nobody',
  of: (shown: number, count: number, isMore: boolean) =>
    `${formatNumber(shown)} of ${isMore ? 'more than ' : ''}${formatNumber(count)}`,
  project: 'Project',
  allProjects: 'All projects',
  stage: 'Stage',
  stageOf: (name: string, stage: string) => `Stage of ${name}: ${stage}`,
  tag: 'Tag',
  noTagFound: 'No tag has this name.',
  allTags: 'All tags',
};
