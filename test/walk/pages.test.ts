import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { expectToastBesideBars } from "@/test/support/bars";
import { basicAuth, consolePassword, withConsole, expectNoSidewaysScrolling } from "@/test/support/browser";
import { consolePages, findPath, themes, widths } from "@/test/support/console-pages";
import { isWhole } from "@/test/support/extent";
import { settle } from "@/test/support/settle";

/** Rule U3, in the window as it is: nothing scrolls that should not, no control is too small, no word is broken. */
async function expectSoundLayout(page: Page, input: "mouse" | "touch"): Promise<void> {
  const isCoarse = await page.evaluate(() => matchMedia("(pointer: coarse)").matches);
  expect(isCoarse, "touch, in this window").toBe(input === "touch");
  const at = `at ${page.viewportSize()?.width} px`;
  await expectNoSidewaysScrolling(page);
  expect(await page.evaluate(findSmallControls), `controls ${at}`).toEqual([]);
  expect(await page.evaluate(findBrokenWords), `broken words ${at}`).toEqual([]);
  expect(await page.evaluate(findNeedlessScrolling), `scrolling boxes ${at}`).toEqual([]);
}

/** Runs in the browser: controls under 24 px (WCAG 2.5.8) or too narrow; `::after` enlarges what a click hits. */
function findSmallControls(): string[] {
  const minimum = 24;
  const minimumField = 48;
  const controls = document.querySelectorAll<HTMLElement>(
    "a[href], button, select, summary, textarea, input:not([type=checkbox], [type=radio], [aria-hidden=true]), [role=button], [role=tab]",
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
    const isField = control.matches("input, textarea");
    if (!isShown || isInText || isEnlarged || !(hasBox || isIcon || isInShell || isField)) return [];
    const isCut = isInShell && control.scrollWidth > Math.ceil(width) + 1;
    if (!isCut && width >= (isField ? minimumField : minimum) - 0.01 && height >= minimum - 0.01) return [];
    const name = control.getAttribute("aria-label") ?? control.textContent.trim().slice(0, 40);
    return [
      `${control.tagName.toLowerCase()} "${name}": ${width.toFixed(1)} × ${height.toFixed(1)}${isCut ? ", cut" : ""}`,
    ];
  });
}

/** Runs in the browser: every word of a control, a label or a column's title that goes on in the next line. */
function findBrokenWords(): string[] {
  const named = document.querySelectorAll(
    "a[href], button, select, summary, label, legend, th, [role=button], [role=tab]",
  );
  return [...named].flatMap((element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      for (const { 0: word, index } of (node.textContent ?? "").matchAll(/[\p{L}\p{N}]{2,}/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
        if (lines.size > 1) broken.push(`${element.tagName.toLowerCase()}: "${word}" in ${lines.size} lines`);
      }
    }
    return broken;
  });
}

/** Runs in the browser: navigation that scrolls, and boxes that scroll down because of a border or by rounding. */
function findNeedlessScrolling(): string[] {
  const border = 3;
  return [...document.querySelectorAll<HTMLElement>("body *")].flatMap((box) => {
    const { overflowX, overflowY } = getComputedStyle(box);
    const moves = (overflow: string) => overflow === "auto" || overflow === "scroll";
    const right = moves(overflowX) ? box.scrollWidth - box.clientWidth : 0;
    const down = moves(overflowY) ? box.scrollHeight - box.clientHeight : 0;
    const isNavigation = box.matches("nav, [role=toolbar], [role=tablist]") && right > 0;
    if (!isNavigation && (down <= 0 || down > border)) return [];
    return [`${box.outerHTML.slice(0, 100)}: ${right} px to the right, ${down} px down`];
  });
}

/* Reading in one direction is WCAG 1.4.10; the rest of WCAG 2.2 AA, as far as a program can tell, is axe's. */

/** Client JavaScript of a page, compressed, in kB of 1000 bytes: all that the browser fetches on a first visit. */
const budget = 221;

/** Each page is loaded with every theme and input, and gets every width, with `npm run test:all`; else with the next ones. */
const looks = themes.flatMap((theme) => (["mouse", "touch"] as const).map((input) => ({ theme, input })));
const loadsOf = (place: number) =>
  looks
    .map((look, index) => ({ ...look, width: widths[(place + index) % widths.length] ?? 1280 }))
    .filter((_, index) => isWhole || index === place % looks.length);

const { open, server } = withConsole({ env: basicAuth });

const figures = new Map<string, string>();
afterAll(() => {
  console.log(`Client JavaScript, gzip, at most ${budget} kB a page:\n${[...figures.values()].join("\n")}`);
});

describe.each(consolePages.map((facts, place) => ({ ...facts, place })))("$name", (facts) => {
  const { name, heading, data, place, needsSession = true } = facts;
  const pathOf = () => findPath(facts, server().origin, { "basic-auth-password": consolePassword });

  it.each(loadsOf(place))(
    "U1, U3: loads without a fault in $theme at $width px by $input, fits into all windows and the budget",
    async (load) => {
      const { page, goto, problems } = await open({ ...load, signedIn: needsSession });
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
      for (const width of isWhole ? widths : widths.filter((one) => one <= 1280)) {
        await page.setViewportSize({ width, height: 800 });
        await settle(page);
        await expectSoundLayout(page, load.input);
        if (isWhole) await expectNoViolations(page);
      }
      await page.setViewportSize({ width: load.width, height: 800 });
      const bars = needsSession ? await expectToastBesideBars(page, problems) : [];
      expect(bars).toEqual(expect.arrayContaining(knownBars[name]?.(load.width) ?? []));
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

const knownBars: Readonly<Record<string, (width: number) => string[]>> = {
  "application-permissions": (width) => (width < 768 ? ["Next decision"] : []),
  applications: () => ["Selected rows"],
  changes: () => ["Publish"],
  consumermessage: () => ["Unsaved changes"],
  functionalgroup: () => ["Unsaved changes"],
  moduleconfig: () => ["Unsaved changes"],
};

/** The widest numbers that a header has room for. */
const longCounters = { unpublished_changes: 88_888, pending_applications: 88_888 };

/** Collects every script the page fetches from now on; gives their compressed sizes in bytes. */
function collectScripts(page: Page): () => Promise<number[]> {
  const bodies: Promise<Buffer>[] = [];
  page.on("response", (response) => {
    const isScript = /javascript/.test(response.headers()["content-type"] ?? "");
    if (!isScript || response.status() !== 200) return;
    const body = response.body();
    // After the last look, the page may be closed before a script has arrived.
    body.catch(() => undefined);
    bodies.push(body);
  });
  return async () => (await Promise.all(bodies)).map((body) => gzipSync(body).length);
}
