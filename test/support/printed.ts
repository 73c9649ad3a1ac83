import type { Page } from "playwright-core";

/** Each as often as it stands there; a time counts by its moment, because paper has it in other words. */
export function readFacts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const main = document.querySelector("main") ?? document.body;
    const isSeen = (element: Element) => {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
      for (let one: Element | null = element; one !== null && one !== main; one = one.parentElement) {
        // Texts for screen readers only.
        if (getComputedStyle(one).clipPath !== "none") return false;
      }
      return true;
    };
    const facts: string[] = [];
    const times = new Set<HTMLTimeElement>();
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = node.textContent?.replace(/\s+/g, " ").trim() ?? "";
      const { parentElement: parent } = node;
      if (text === "" || parent === null || parent.closest("select, textarea") !== null || !isSeen(parent)) continue;
      const time = parent.closest("time");
      if (time === null) facts.push(text);
      else times.add(time);
    }
    facts.push(...[...times].map(({ dateTime }) => dateTime));
    for (const element of main.querySelectorAll("input, textarea, select, [role=checkbox], [role=switch], button")) {
      if (!isSeen(element)) continue;
      const label = element.getAttribute("aria-label");
      const state = element.getAttribute("aria-checked");
      if (state !== null) {
        const labelled = document.getElementById(element.getAttribute("aria-labelledby") ?? "")?.textContent;
        facts.push(`${label ?? labelled ?? ""} is ${state}`);
      } else if (element instanceof HTMLSelectElement) facts.push(element.selectedOptions[0]?.label ?? "");
      else if (element instanceof HTMLButtonElement) facts.push(...(label === null ? [] : [label]));
      else if (element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement) {
        if (element.type !== "checkbox") facts.push(element.value || element.placeholder);
      }
    }
    return facts.filter((fact) => fact !== "");
  });
}

export function findMissing(facts: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const fact of others) left.set(fact, (left.get(fact) ?? 0) + 1);
  return facts.filter((fact) => {
    const count = left.get(fact) ?? 0;
    left.set(fact, count - 1);
    return count <= 0;
  });
}

/** Texts that stick out of the sheet at its right edge, or out of a box that cuts them off. */
export function findCut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const cut: string[] = [];
    const sheet = document.documentElement.clientWidth;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const { parentElement: parent } = node;
      if (parent === null || node.textContent?.trim() === "" || !parent.checkVisibility()) continue;
      let edge = sheet;
      let isHidden = false;
      for (let one: Element | null = parent; one !== null; one = one.parentElement) {
        const { overflowX, clipPath } = getComputedStyle(one);
        if (overflowX !== "visible") edge = Math.min(edge, one.getBoundingClientRect().right);
        isHidden ||= clipPath !== "none";
      }
      const range = document.createRange();
      range.selectNodeContents(node);
      const right = Math.max(0, ...[...range.getClientRects()].map((rect) => rect.right));
      if (!isHidden && right > edge + 1) cut.push(node.textContent ?? "");
    }
    if (document.documentElement.scrollWidth > sheet)
      cut.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    return cut;
  });
}
