import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { withConsole } from "@/test/support/browser";
import { rpcBody } from "@/test/support/releases";

/** Each as often as it stands there; a time counts by its moment, because paper has it in other words. */
function readFacts(page: Page): Promise<string[]> {
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

function findMissing(facts: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const fact of others) left.set(fact, (left.get(fact) ?? 0) + 1);
  return facts.filter((fact) => {
    const count = left.get(fact) ?? 0;
    left.set(fact, count - 1);
    return count <= 0;
  });
}

/** Texts that stick out of the sheet at its right edge, or out of a box that cuts them off. */
function findCut(page: Page): Promise<string[]> {
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

const { open, ask } = withConsole();

/** Widths of A4 and Letter in CSS pixels. */
const sheets = { A4: 794, Letter: 816 };

const english = { language_id: "en-us", selected: true, tts: "May it?", line1: "May it?" };

async function stage(name: string): Promise<void> {
  await ask("/messages", { messages: [{ message_category: name, is_deleted: false, languages: [english] }] });
  const rpcs = [rpcBody("Alert", ["FULL", "LIMITED"]), rpcBody("GetVehicleData", ["FULL"], ["gps", "speed"])];
  await ask("/groups", { name: `${name}-1`, is_default: false, user_consent_prompt: name, rpcs });
  await ask("/groups", { name: `${name}-2`, is_default: true, rpcs: [rpcBody("SetInteriorVehicleData", ["FULL"])] });
}

interface Printed {
  readonly name: string;
  readonly path: () => Promise<string>;
  readonly acts: readonly RegExp[];
  readonly button: RegExp;
}

const findApp = async () => (await ask("/applications?approval_status=PENDING&search=podcat")).applications[0].id;

const notice = /^Hide in this browser$/;
const navigation = [/^Applications$/, /^(Changes|Permissions|Settings|Details|Policy|History)$/];

const pages: readonly Printed[] = [
  {
    name: "a review",
    path: async () => {
      await stage("Reviewed");
      return "/changes";
    },
    acts: [
      ...[/^Open$/, /^Viewed$/, /^Viewed is false$/, /^Next: /, /^Show \d+ more$/, /^By functional group$/],
      // How the changes of one item are shown: on paper, as fields.
      /^(Changes|Policy table|JSON)$/,
    ],
    button: /^Reviewed$/,
  },
  {
    name: "a release",
    path: async () => {
      await stage("Released");
      const { release } = await ask("/releases", { items: "all", name: "Printed", note: "For the meeting" });
      return `/releases/${release.number}`;
    },
    acts: [/^Releases$/, /^(Download report|Export differences)$/, /^Roll back to #\d+…$/, /^Show \d+ more$/],
    button: /^Fleetbook$/,
  },
  {
    name: "an app",
    path: async () => `/applications/${await findApp()}`,
    acts: [/^Copy UUID$/, ...navigation],
    button: /^Approve for production…$/,
  },
  {
    name: "the permissions of an app",
    path: async () => `/applications/${await findApp()}?tab=permissions`,
    acts: [
      ...[/^Copy UUID$/, ...navigation, /^Search permissions$/, /^Production$/],
      ...[/^Show what staging gives now/, /^Only requested and not granted/],
    ],
    button: /^Alert at FULL: Granted/,
  },
  {
    name: "a group",
    path: () => Promise.resolve("/functionalgroups/manage?name=Location-1&environment=staging"),
    acts: [
      ...[/^Functional groups$/, /^(Content|History)$/, /^Actions for Location-1$/, /^Show JSON$/],
      ...[/^Add RPCs or parameters$/, /^Type a name, or paste a list$/, /^at$/, /^FULL only$/],
      ...[/^Select all RPCs shown is false$/, /^Select \w+ is false$/, /^Remove \w+$/],
    ],
    button: /: FULL is true$/,
  },
];

const isIn = (texts: readonly RegExp[], fact: string) => texts.some((text) => text.test(fact));

async function print(page: Page, width: number): Promise<void> {
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width, height: 1123 });
  // On paper, times are exact.
  await expect.poll(() => page.locator("main time").first().innerText()).toMatch(/^\d{4}-\d\d-\d\d .* UTC$/);
}

describe.each(pages)("print of $name", ({ path, acts: own, button }) => {
  const acts = [notice, ...own];

  it("shows everything that the screen tells, and leaves out only what acts", async () => {
    const { page, goto } = await open();
    expect(await goto(await path())).toBe(200);
    const onScreen = await readFacts(page);
    expect(onScreen.some((fact) => button.test(fact))).toBe(true);
    for (const width of Object.values(sheets)) {
      await print(page, width);
      const missing = findMissing(onScreen, await readFacts(page));
      expect(missing.filter((fact) => !isIn(acts, fact))).toEqual([]);
      expect(acts.filter((act) => !missing.some((fact) => act.test(fact)))).toEqual([]);
      expect(await findCut(page)).toEqual([]);
    }
    // This test notices it when names and marks that are buttons are hidden.
    await page
      .locator("main button")
      .evaluateAll((all: HTMLElement[]) => all.forEach((one) => one.style.setProperty("display", "none")));
    const missing = findMissing(onScreen, await readFacts(page));
    expect(missing.some((fact) => button.test(fact))).toBe(true);
  });
});
