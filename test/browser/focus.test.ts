import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { withConsole } from "@/test/support/browser";
import { settle } from "@/test/support/settle";

/* WCAG 2.4.11, by Tab there and back through long pages while the footer of unsaved changes is up. */

const { open, ask } = withConsole();
type Goto = Awaited<ReturnType<typeof open>>["goto"];

const maxStops = 400;

async function walk(page: Page): Promise<{ stops: number; hidden: string[] }> {
  const hidden: string[] = [];
  let stops = 0;
  await page.locator('a[href="#main"]').focus();
  for (const key of ["Tab", "Shift+Tab"]) {
    for (let pressed = 0; pressed < maxStops; pressed++, stops++) {
      await page.keyboard.press(key);
      const found = await page.evaluate(judgeFocus);
      if (found === null) break;
      if (found !== "") hidden.push(`${key}: ${found}`);
    }
    await page.evaluate(() => {
      (window as any).lastFocused?.focus();
    });
  }
  return { stops, hidden };
}

/** Null: the focus has left the page, or has gone round. Empty: it can be seen. Else what has it, and what hides it. */
function judgeFocus(): string | null {
  const focused = document.activeElement;
  const kept = window as { seenFocus?: Set<Element>; lastFocused?: Element };
  const seen = (kept.seenFocus ??= new Set<Element>());
  const isFirst = focused?.matches('a[href="#main"]') === true;
  if (focused === null || focused === document.body || isFirst || seen.has(focused)) {
    seen.clear();
    return null;
  }
  seen.add(focused);
  kept.lastFocused = focused;
  // A box drawn by us lies over the browser's own control: what is seen is their label.
  const element = focused.closest("label") ?? focused;
  const box = element.getBoundingClientRect();
  const steps = [0.02, 0.25, 0.5, 0.75, 0.98];
  let hiding: Element | null = null;
  const isSeen = steps.some((right) =>
    steps.some((down) => {
      const top = document.elementFromPoint(box.left + box.width * right, box.top + box.height * down);
      if (top === null) return false;
      if (element.contains(top)) return true;
      for (let above: Element | null = top; above !== null; above = above.parentElement) {
        if (["sticky", "fixed"].includes(getComputedStyle(above).position) && !above.contains(element)) {
          hiding = above;
          return false;
        }
      }
      return true;
    }),
  );
  if (isSeen) return "";
  const name = (one: Element | null) => one?.outerHTML.slice(0, 160) ?? "the edge of the window";
  return `${name(element)} at ${Math.round(box.top)}–${Math.round(box.bottom)} px, behind ${name(hiding)}`;
}

const pages: readonly { name: string; show: (page: Page, goto: Goto) => Promise<unknown> }[] = [
  {
    name: "a message",
    show: async (page, goto) => {
      await goto("/consumermessages/manage?category=AppPermissions&environment=staging&lang=de-de");
      await page.getByLabel("Line 1", { exact: true }).fill("Neu");
    },
  },
  {
    name: "a functional group",
    show: async (page, goto) => {
      await goto("/functionalgroups/manage?name=Location-1&environment=staging");
      await page.getByLabel("Description").first().fill("Something new");
    },
  },
  {
    name: "a vehicle data item",
    show: async (page, goto) => {
      await goto("/vehicledata/manage?environment=staging");
      await page.getByLabel("Key", { exact: true }).fill("KEY_NEW");
    },
  },
  {
    name: "the module config",
    show: async (page, goto) => {
      await goto("/moduleconfig");
      await page.getByRole("switch", { name: "Users may dismiss the lock screen" }).click();
    },
  },
  {
    name: "an app",
    show: async (_page, goto) => {
      const { applications } = await ask("/applications?approval_status=PENDING&search=podcat");
      await goto(`/applications/${applications[0].id}`);
    },
  },
];

const windows = [
  { width: 1280, height: 640 },
  { width: 390, height: 640 },
];

describe.each(pages)("$name", ({ name, show }) => {
  it.each(windows)(
    "WCAG 2.4.11: the focus can be seen at every stop, there and back, at $width px",
    async ({ width, height }) => {
      const { page, goto } = await open({ width, height });
      await show(page, goto);
      if (name !== "an app") await page.getByRole("region", { name: "Unsaved changes" }).waitFor();
      await settle(page);
      // What is fetched when somebody begins to act takes the place of what stood there: the walk begins after that.
      await page.keyboard.press("Shift");
      await page.waitForFunction(() =>
        [...document.querySelectorAll("input[role=combobox]")].every((input) =>
          input.hasAttribute("aria-autocomplete"),
        ),
      );
      await settle(page);
      const { stops, hidden } = await walk(page);
      expect(stops).toBeGreaterThan(30);
      expect(hidden).toEqual([]);
    },
  );
});
