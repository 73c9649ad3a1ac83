import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { basicAuth, consolePassword, expectNoSidewaysScrolling, withConsole } from "@/test/support/browser";
import { consolePages, findPath, themes, widths } from "@/test/support/console-pages";
import { isWhole, someOf } from "@/test/support/extent";
import { settle } from "@/test/support/settle";

/*
 * What every page of the console must pass. "One direction of scrolling" is WCAG 1.4.10, the rest of WCAG 2.2 AA as far as
 * a program can tell is axe's; both hold for every theme and width.
 */

/** Client JavaScript of a page, compressed, in kB of 1000 bytes: all that the browser fetches on a first visit. */
const budget = 220;

/** All themes and widths with `npm run test:all`; else a share of them, another one for each page. */
const loads = themes.flatMap((theme) => widths.map((width) => ({ theme, width })));

const { open, server } = withConsole({ env: basicAuth });

const figures = new Map<string, string>();
afterAll(() => {
  console.log(`Client JavaScript, gzip, at most ${budget} kB a page:\n${[...figures.values()].join("\n")}`);
});

describe.each(consolePages.map((facts, place) => ({ ...facts, place })))("$name", (facts) => {
  const { name, heading, data, place, needsSession = true } = facts;
  const pathOf = () => findPath(facts, server().origin, { "basic-auth-password": consolePassword });

  it.each(someOf(loads, place))(
    "loads without a fault in $theme at $width px, fits into all windows and the budget",
    async (load) => {
      const { page, goto } = await open({ ...load, signedIn: needsSession });
      const scripts = collectScripts(page);
      expect(await goto(await pathOf())).toBe(200);
      expect(await page.locator("h1").allInnerTexts()).toEqual([expect.stringMatching(heading)]);
      await expectNoViolations(page);
      await expectNoSidewaysScrolling(page);
      const sizes = await scripts();
      for (const width of isWhole ? [] : widths) {
        await page.setViewportSize({ width, height: 800 });
        await settle(page);
        await expectNoSidewaysScrolling(page);
      }
      const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1000;
      figures.set(name, `${name.padEnd(28)}${kilobytes.toFixed(1).padStart(7)} kB  ${sizes.length} files`);
      expect(sizes.length).toBeGreaterThan(0);
      expect(kilobytes).toBeLessThanOrEqual(budget);
    },
  );

  it("shows its data before any script has run", async () => {
    const { page, goto } = await open({ signedIn: needsSession, javaScript: false });
    await goto(await pathOf());
    expect(await page.locator("main").innerText()).toMatch(data);
  });
});

/** Collects every script the page fetches from now on; gives their compressed sizes in bytes. */
function collectScripts(page: Page): () => Promise<number[]> {
  const bodies: Promise<Buffer>[] = [];
  page.on("response", (response) => {
    const isScript = /javascript/.test(response.headers()["content-type"] ?? "");
    if (isScript && response.status() === 200) bodies.push(response.body());
  });
  return async () => (await Promise.all(bodies)).map((body) => gzipSync(body).length);
}
