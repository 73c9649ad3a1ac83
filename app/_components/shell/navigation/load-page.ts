let isLeaving = false;

/**
 * Opens a page as if its address had been typed. This also discards the browser's cached pages, so that "back" shows
 * none of them after a session has ended. Only the first call counts, because the tab that signs out also receives its
 * own announcement.
 */
export function loadPage(path: string): void {
  if (isLeaving) return;
  isLeaving = true;
  window.location.replace(path);
}
