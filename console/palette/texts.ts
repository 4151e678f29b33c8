export const texts = {
  title: 'Search',
  hint: 'A person, a unit, a project, a page, or what you want to do here. An email, a phone number or an id works, too.',
  nothing: 'Nothing fits.',
  contacts: 'People',
  units: 'Units',
  projects: 'Projects',
  actions: 'On this page',
  pages: 'Pages',
  keys: 'Enter opens, Ctrl Enter opens in a new tab.',
};
