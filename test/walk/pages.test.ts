import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { basicAuth, consolePassword, expectNoSidewaysScrolling, withConsole } from "@/test/support/browser";
import { consolePages, findPath, themes, widths } from "@/test/support/console-pages";
import { isWhole } from "@/test/support/extent";
import { settle } from "@/test/support/settle";

/*
 * What every page of the console must pass. "One direction of scrolling" is WCAG 1.4.10, the rest of WCAG 2.2 AA as far as
 * a program can tell is axe's; both hold for every theme and width.
 */

/** Client JavaScript of a page, compressed, in kB of 1000 bytes: all that the browser fetches on a first visit. */
const budget = 221;

/** All themes and widths with `npm run test:all`; else the next one for each page. */
const loads = themes.flatMap((theme) => widths.map((width) => ({ theme, width })));
const loadsOf = (place: number) => loads.filter((_, index) => isWhole || index === (place * 3) % loads.length);

const { open, server } = withConsole({ env: basicAuth });

const figures = new Map<string, string>();
afterAll(() => {
  console.log(`Client JavaScript, gzip, at most ${budget} kB a page:\n${[...figures.values()].join("\n")}`);
});

describe.each(consolePages.map((facts, place) => ({ ...facts, place })))("$name", (facts) => {
  const { name, heading, data, place, needsSession = true } = facts;
  const pathOf = () => findPath(facts, server().origin, { "basic-auth-password": consolePassword });

  it.each(loadsOf(place))(
    "loads without a fault in $theme at $width px, fits into all windows and the budget, and shrinks no control",
    async (load) => {
      const { page, goto } = await open({ ...load, signedIn: needsSession });
      await page.route("**/api/v1/ui/counters", async (route) => {
        const answer = await route.fetch();
        const body = await answer.json();
        await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, ...longCounters } } });
      });
      const scripts = collectScripts(page);
      expect(await goto(await pathOf())).toBe(200);
      expect(await page.locator("h1").allInnerTexts()).toEqual([expect.stringMatching(heading)]);
      await expectNoViolations(page);
      const sizes = await scripts();
      // As after a while, when the numbers in the header have grown.
      await page.evaluate(() => void window.dispatchEvent(new Event("focus")));
      for (const width of isWhole ? [load.width, 320] : widths) {
        await page.setViewportSize({ width, height: 800 });
        await settle(page);
        await expectNoSidewaysScrolling(page);
        expect(await page.evaluate(findSmallControls), `controls at ${width} px`).toEqual([]);
      }
      const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1000;
      figures.set(name, `${name.padEnd(28)}${kilobytes.toFixed(1).padStart(7)} kB  ${sizes.length} files`);
      expect(sizes.length).toBeGreaterThan(0);
      expect(kilobytes).toBeLessThanOrEqual(budget);
    },
  );

  it.runIf(isWhole)("shows its data before any script has run", async () => {
    const { page, goto } = await open({ signedIn: needsSession, javaScript: false });
    await goto(await pathOf());
    expect(await page.locator("main").innerText()).toMatch(data);
  });
});

/** The widest numbers that a header has room for. */
const longCounters = { unpublished_changes: 88_888, pending_applications: 88_888 };

/**
 * Runs in the browser: every control with a box of its own (a border, a background, an icon), and every control of the shell,
 * that is smaller than 24 px (WCAG 2.5.8) or, in the shell, too narrow for its text. Links and words in a text are as high as
 * a line; axe looks at what is around them. `::after` enlarges what a click hits.
 */
function findSmallControls(): string[] {
  const minimum = 24;
  const controls = document.querySelectorAll<HTMLElement>(
    "a[href], button, select, summary, [role=button], [role=tab]",
  );
  return [...controls].flatMap((control) => {
    const { width, height } = control.getBoundingClientRect();
    const { borderTopWidth, backgroundColor, display } = getComputedStyle(control);
    const isShown =
      control.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && width > 1 && height > 1;
    const isInText = display === "inline" || control.closest("p, h2") !== null;
    const isEnlarged = getComputedStyle(control, "::after").position === "absolute";
    const hasBox = borderTopWidth !== "0px" || !/^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor);
    const isIcon = control.textContent.trim() === "" && control.querySelector("svg") !== null;
    const isInShell = control.closest("[data-shell], [role=toolbar]") !== null;
    if (!isShown || isInText || isEnlarged || !(hasBox || isIcon || isInShell)) return [];
    const isCut = isInShell && control.scrollWidth > Math.ceil(width) + 1;
    if (!isCut && width >= minimum - 0.01 && height >= minimum - 0.01) return [];
    const name = control.getAttribute("aria-label") ?? control.textContent.trim().slice(0, 40);
    return [
      `${control.tagName.toLowerCase()} "${name}": ${width.toFixed(1)} × ${height.toFixed(1)}${isCut ? ", cut" : ""}`,
    ];
  });
}

/** Collects every script the page fetches from now on; gives their compressed sizes in bytes. */
function collectScripts(page: Page): () => Promise<number[]> {
  const bodies: Promise<Buffer>[] = [];
  page.on("response", (response) => {
    const isScript = /javascript/.test(response.headers()["content-type"] ?? "");
    if (isScript && response.status() === 200) bodies.push(response.body());
  });
  return async () => (await Promise.all(bodies)).map((body) => gzipSync(body).length);
}
