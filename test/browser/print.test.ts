import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { withConsole } from "@/test/support/browser";
import { findCut, findMissing, readFacts } from "@/test/support/printed";
import { rpcBody } from "@/test/support/releases";

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
