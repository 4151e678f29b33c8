// Runs before the first paint, so that the page never flashes in the other theme.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('offplan-theme');
  } catch {
    // The browser does not let this site store data.
  }
  if (theme !== 'light' && theme !== 'dark') return;
  document.documentElement.dataset.theme = theme;
})();
