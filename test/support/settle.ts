import type { Page, Request } from "playwright-core";
import { setTimeout as wait } from "node:timers/promises";

/** How long a page asks for nothing before it is taken to have all that it wants. */
const quietMs = 100;
/** A page that stays connected to the server is never quiet: then this is only a pause. */
const maxMs = 3_000;

interface Traffic {
  readonly underWay: Set<Request>;
  changedAt: number;
}
const traffic = new WeakMap<Page, Traffic>();

/** Keeps count of what the page asks for; to be called before it goes anywhere. */
export function watchTraffic(page: Page): void {
  const seen: Traffic = { underWay: new Set(), changedAt: performance.now() };
  const changed = (change: (request: Request) => void) => (request: Request) => {
    change(request);
    seen.changedAt = performance.now();
  };
  const ended = changed((request) => void seen.underWay.delete(request));
  page.on(
    "request",
    changed((request) => void seen.underWay.add(request)),
  );
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  traffic.set(page, seen);
}

/** Waits until React has taken over the page, and the page has asked the server for all that it wants. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("h1") ?? {}).some((key) => key.startsWith("__react")),
  );
  const seen = traffic.get(page);
  if (!seen) throw new Error("watchTraffic has not been called for this page");
  const start = performance.now();
  let isQuiet = false;
  while (!isQuiet && performance.now() - start < maxMs) {
    // What the page does when it finds time may be to ask for something.
    await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 1_000 })));
    isQuiet = seen.underWay.size === 0 && performance.now() - seen.changedAt >= quietMs;
    if (!isQuiet) await wait(20);
  }
}
