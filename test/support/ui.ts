import { endPending, isOf, leftBehind, watchedFetch } from "./left-behind";
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { toast } from "sonner";
import { afterEach, vi } from "vitest";
import { keepComputedStyles } from "./computed-styles";

/** Ends the page of a test. What would outlive it meets the next test, or a document that is gone: it fails the test. */
export async function endPage(): Promise<void> {
  vi.useRealTimers();
  cleanup();
  // Those that stay until they are closed would be shown by the next page, too.
  toast.dismiss();
  await vi.dynamicImportSettled();
  const left = await endPending((one) => {
    // These clear no timer when a page goes, but then do nothing in it any more.
    if (isOf(one, "/node_modules/sonner/", "/node_modules/swr/")) one.run();
  });
  if (left.length > 0) throw leftBehind("The page of this test", left);
}
// The first hook is the last to run after a test: what a file has to end itself has ended.
afterEach(endPage);

// Tests answer requests by a `fetch` of their own.
const stubGlobal = vi.stubGlobal.bind(vi);
vi.stubGlobal = (name, value) =>
  stubGlobal(name, name === "fetch" && typeof value === "function" ? watchedFetch(value) : value);

// How long to look for what appears by and by. It only ends a hang, as `expect.poll` of vitest.config.ts does.
configure({ asyncUtilTimeout: 120_000 });

// What jsdom lacks: pointers that are followed beyond an element, media queries, and elements that change in size.
const lacking = {
  matchMedia: (media: string) => ({
    media,
    matches: false,
    addListener: () => undefined,
    removeListener: () => undefined,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }),
  ResizeObserver: class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
};
Object.assign(window, lacking);
Object.assign(Element.prototype, { setPointerCapture: () => undefined, scrollIntoView: () => undefined });
keepComputedStyles();
