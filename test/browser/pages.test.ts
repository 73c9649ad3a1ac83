import { describe, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { basicAuth, consolePassword, expectNoSidewaysScrolling, withConsole } from "@/test/support/browser";
import { consolePages, findPath, themes, widths } from "@/test/support/console-pages";

/*
 * What every page of the console must pass. "One direction of scrolling" is WCAG 1.4.10,
 * the rest of WCAG 2.2 AA as far as a program can tell is axe's; both hold for every theme and width.
 */

const { open, server } = withConsole({ env: basicAuth });

describe.each(consolePages)("$name", (facts) => {
  const { heading, data, needsSession = true } = facts;
  const pathOf = () => findPath(facts, server().origin, { "basic-auth-password": consolePassword });

  it.each(themes.flatMap((theme) => widths.map((width) => ({ theme, width }))))(
    "loads without a fault in $theme at $width px",
    async ({ theme, width }) => {
      const { page, goto } = await open({ theme, width, signedIn: needsSession });
      expect(await goto(await pathOf())).toBe(200);
      expect(await page.locator("h1").allInnerTexts()).toEqual([expect.stringMatching(heading)]);
      await expectNoSidewaysScrolling(page);
      await expectNoViolations(page);
    },
  );

  it("shows its data before any script has run", async () => {
    const { page, goto } = await open({ signedIn: needsSession, javaScript: false });
    await goto(await pathOf());
    expect(await page.locator("main").innerText()).toMatch(data);
  });
});
