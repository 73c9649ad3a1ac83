import type { Page, Request } from "playwright-core";
import { setTimeout as wait } from "node:timers/promises";

/** A page without new requests for this long counts as complete. */
const quietMs = 100;
/** A page that stays connected to the server is never quiet; then this is only a pause. */
const maxMs = 3_000;

interface Traffic {
  readonly underWay: Set<Request>;
  changedAt: number;
}
const traffic = new WeakMap<Page, Traffic>();

/** Counts the requests of a page; call it before any navigation. */
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

/** Waits until React has hydrated the page, and the page has requested everything it needs. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("h1") ?? {}).some((key) => key.startsWith("__react")),
  );
  const seen = traffic.get(page);
  if (!seen) throw new Error("watchTraffic has not been called for this page");
  const start = performance.now();
  let isQuiet = false;
  while (!isQuiet && performance.now() - start < maxMs) {
    // Idle work of the page may cause further requests.
    await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 1_000 })));
    isQuiet = seen.underWay.size === 0 && performance.now() - seen.changedAt >= quietMs;
    if (!isQuiet) await wait(20);
  }
}
