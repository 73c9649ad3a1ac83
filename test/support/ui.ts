import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { toast } from "sonner";
import { afterEach } from "vitest";
import { keepComputedStyles } from "./computed-styles";

// Testing Library does this by itself only where the test functions are globals.
afterEach(cleanup);
// A message that waits to be closed, or for the end of its way out, would be shown by the next test's pages too.
afterEach(() => {
  toast.dismiss();
});

// How long to look for what appears by and by: a busy machine is no reason to give up.
configure({ asyncUtilTimeout: 15_000 });

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
