import { type Page } from "playwright-core";

/** Waits until React has taken over the page and the page has asked the server for all that it wants. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("h1") ?? {}).some((key) => key.startsWith("__react")),
  );
  // A page that stays connected to the server is never idle: then this is only a pause.
  await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => undefined);
}
