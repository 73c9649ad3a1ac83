import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectNoSidewaysScrolling } from "@/test/support/browser";

/** Rule U3, in the window as it is: nothing scrolls that should not, no control is too small, no word is broken. */
export async function expectSoundLayout(page: Page, input: "mouse" | "touch"): Promise<void> {
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
