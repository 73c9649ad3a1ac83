import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { PageProblems } from "@/test/support/page-problems";
import { settle } from "@/test/support/settle";

interface Bar {
  readonly isBelow: boolean;
  /** Its own name and those of the bars within. */
  readonly names: readonly string[];
  readonly covered: readonly string[];
}

const rowBox = (page: Page) => page.getByRole("checkbox", { name: /^Select (?!all)/ });
/** Not the searches of a form, which have a placeholder or suggestions. */
const textField = (page: Page) =>
  page
    .locator(
      "main form[novalidate] :is(input:is([type=text], :not([type])):not([placeholder], [role=combobox], [aria-hidden=true]), textarea)",
    )
    .and(page.locator(":not([readonly]):visible"));

/** Rule U1, at both ends of the page; selecting a row and editing a field first brings bars up. */
export async function expectToastBesideBars(page: Page, problems: PageProblems): Promise<string[]> {
  const [hasRow, hasField] = [(await rowBox(page).count()) > 0, (await textField(page).count()) > 0];
  await scrollTo(page, 1e6);
  if (!hasRow && !hasField && !(await page.evaluate(findBars)).some(({ isBelow }) => isBelow)) return [];
  await showToast(page, problems);
  if (hasRow) await rowBox(page).first().press("Space");
  if (hasField) await textField(page).first().pressSequentially("1");
  const names = new Set<string>();
  for (const top of [0, 1e6]) {
    await scrollTo(page, top);
    const bars = await page.evaluate(findBars);
    const covered = bars.flatMap((bar) => bar.covered);
    expect(covered, `under a toast: ${covered.join(", ")}`).toEqual([]);
    for (const bar of bars) for (const name of bar.names) names.add(name);
  }
  expect(await page.locator("[data-sonner-toast]").count()).toBe(1);
  return [...names];
}

async function scrollTo(page: Page, top: number): Promise<void> {
  // What a page shows because of its scroll position is decided with the next frame.
  await page.evaluate(
    (y) =>
      new Promise<void>((resolve) => {
        window.scrollTo(0, y);
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
      }),
    top,
  );
  await settle(page);
}

/** Shows a toast that every page can show, and that stays: signing out fails. */
async function showToast(page: Page, problems: PageProblems): Promise<void> {
  problems.allow(/logout|503/);
  const meta = { request_id: "00000000-0000-0000-0000-000000000000", code: 503, message: "Service unavailable" };
  await page.route("**/api/v1/logout", (route) => route.fulfill({ status: 503, json: { meta, data: null } }));
  // Time stands still for toasts that nobody sees.
  await page.evaluate(() => Object.defineProperty(document, "hidden", { value: true }));
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("sign out");
  await page.getByRole("option", { name: /^Sign out/ }).click();
  await page.locator("[data-sonner-toast]").waitFor();
}

/** Runs in the browser; finds bars by their computed style, so also those that nothing else knows. */
function findBars(): Bar[] {
  const toasts = [...document.querySelectorAll("[data-sonner-toast]")];
  const describe = (element: Element) =>
    element.getAttribute("aria-label") ?? (element.textContent.trim().slice(0, 40) || element.outerHTML.slice(0, 80));
  const covers = (element: Element, toast: Element) => {
    const [one, other] = [element.getBoundingClientRect(), toast.getBoundingClientRect()];
    const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    return width > 0.5 && height > 0.5;
  };
  return [...document.querySelectorAll("body *:not([data-sonner-toaster], [data-sonner-toaster] *)")].flatMap((bar) => {
    const { position, top, bottom } = getComputedStyle(bar);
    if (position !== "fixed" && position !== "sticky") return [];
    const box = bar.getBoundingClientRect();
    const isSeen = bar.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const isInView = box.width > 1 && box.height > 1 && box.bottom > 0 && box.top < window.innerHeight;
    const isBelow = position === "fixed" ? box.bottom > window.innerHeight / 2 : bottom !== "auto";
    const isAbove = box.top <= (Number.parseFloat(top) || 0) + 1;
    if (!isSeen || !isInView || box.height > window.innerHeight / 2 || !(isBelow || isAbove)) return [];
    const controls = [...bar.querySelectorAll("a[href], button, input")];
    const covered = [bar, ...controls].filter((one) => toasts.some((toast) => covers(one, toast)));
    const names = [...bar.querySelectorAll("[role=region], [role=group]")].map(describe);
    return [{ isBelow, names: [describe(bar), ...names], covered: covered.map(describe) }];
  });
}
