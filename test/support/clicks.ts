import type { Page } from "playwright-core";

export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(watchClicks);
  await page.evaluate(watchClicks);
  return () => page.evaluate(() => Number(sessionStorage.getItem("clicks")));
}

function watchClicks(): void {
  const marked = window as { watchesClicks?: boolean };
  if (marked.watchesClicks) return;
  marked.watchesClicks = true;
  const count = (event: MouseEvent) => {
    // Keys cause clicks too, but with `detail` 0.
    if (event.detail > 0) sessionStorage.setItem("clicks", String(Number(sessionStorage.getItem("clicks")) + 1));
  };
  window.addEventListener("click", count, true);
}
