import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { expectToastBesideBars } from "@/test/support/bars";
import { basicAuth, consolePassword, withConsole } from "@/test/support/browser";
import { consolePages, findPath, themes, widths } from "@/test/support/console-pages";
import { isWhole } from "@/test/support/extent";
import { expectSoundLayout } from "@/test/support/layout";
import { settle } from "@/test/support/settle";

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
