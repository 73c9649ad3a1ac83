/**
 * Goes to a page as if its address had been typed. What the browser holds of the pages before goes with it, so that after
 * the end of a session "back" shows nothing of them.
 */
export function loadPage(path: string): void {
  window.location.replace(path);
}
