let isLeaving = false;

/**
 * Goes to a page as if its address had been typed. What the browser holds of the pages before goes with it, so that after
 * the end of a session "back" shows nothing of them. The first call counts: whoever signs out also hears of it as other
 * tabs do.
 */
export function loadPage(path: string): void {
  if (isLeaving) return;
  isLeaving = true;
  window.location.replace(path);
}
