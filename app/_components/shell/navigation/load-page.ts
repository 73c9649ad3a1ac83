let isLeaving = false;

/**
 * A full load discards the browser's cached pages, so that "back" shows none after a session has ended.
 * Only the first call counts: the tab that signs out also receives its own announcement.
 */
export function loadPage(path: string): void {
  if (isLeaving) return;
  isLeaving = true;
  window.location.replace(path);
}
