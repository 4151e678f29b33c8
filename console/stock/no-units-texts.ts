export const texts = {
  empty: 'No units yet. Make a project, then add its units.',
  emptyProject: 'No units yet. Add the first ones.',
  emptyReadOnly: 'No units yet.',
  filtered: 'No unit fits these filters.',
  goToProjects: 'Go to the projects',
};
