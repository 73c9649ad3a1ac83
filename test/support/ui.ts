import { endPending, isOf, leftBehind, watchedFetch } from "./left-behind";
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { toast } from "sonner";
import { afterEach, vi } from "vitest";
import { forgetNavigation } from "./navigation";

/** jsdom's own stylesheet, evaluated for every query by role, took half the time of page tests. */
function keepComputedStyles(): void {
  const compute = window.getComputedStyle.bind(window);
  const kept = new Map<string, CSSStyleDeclaration>();
  window.getComputedStyle = (element, pseudo) => {
    if (pseudo || hasOwnStyle(element)) return compute(element, pseudo);
    const kind = kindOf(element);
    const style = kept.get(kind) ?? compute(element);
    kept.set(kind, style);
    return style;
  };
}

/** Attribute values that also affect descendants. */
const deciding = /display|visibility|pointer-events/;

function hasOwnStyle(element: Element): boolean {
  for (let one: Element | null = element; one; one = one.parentElement) {
    if (deciding.test(one.getAttribute("style") ?? "") || one.hasAttribute("data-sonner-toaster")) return true;
  }
  return false;
}

function kindOf(element: Element): string {
  const attributes = ["style", "hidden", "open", "type"].map((name) => element.getAttribute(name) ?? "-");
  return [element.localName, ...attributes].join("|");
}

vi.mock("next/navigation", async (original) => {
  const { router } = await import("./navigation");
  return {
    ...(await original<object>()),
    useRouter: () => router,
    usePathname: () => window.location.pathname,
    useSearchParams: () => new URLSearchParams(window.location.search),
  };
});
vi.mock("next/headers", async () => {
  const { cookies, requestHeaders } = await import("./navigation");
  return { headers: () => Promise.resolve(requestHeaders), cookies: () => Promise.resolve(cookies) };
});

export async function endPage(): Promise<void> {
  vi.useRealTimers();
  cleanup();
  // Permanent toasts would appear on the next page too.
  toast.dismiss();
  await vi.dynamicImportSettled();
  const left = await endPending((one) => {
    // These do not clear timers when a page ends, but their timers then do nothing.
    if (isOf(one, "/node_modules/sonner/", "/node_modules/swr/")) one.run();
  });
  if (left.length > 0) throw leftBehind("The page of this test", left);
}
// The first hooks run last after a test, after the file's own cleanup.
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetAllMocks();
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
  forgetNavigation();
});
afterEach(endPage);

// Tests answer requests with their own `fetch`.
const stubGlobal = vi.stubGlobal.bind(vi);
vi.stubGlobal = (name, value) =>
  stubGlobal(name, name === "fetch" && typeof value === "function" ? watchedFetch(value) : value);

// How long to wait for delayed elements. Only ends a hang, like `expect.poll` in vitest.config.ts.
configure({ asyncUtilTimeout: 120_000 });

// What jsdom lacks: pointer capture, media queries and observers.
class NoObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return [];
  }
}
const lacking = {
  matchMedia: (media: string) => ({
    media,
    matches: false,
    addListener: () => undefined,
    removeListener: () => undefined,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }),
  IntersectionObserver: NoObserver,
  ResizeObserver: NoObserver,
};
Object.assign(window, lacking);
Object.assign(Element.prototype, { setPointerCapture: () => undefined, scrollIntoView: () => undefined });
keepComputedStyles();
