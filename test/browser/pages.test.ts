import { describe, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { basicAuth, expectNoSidewaysScrolling, withConsole } from "@/test/support/browser";
import { consolePages } from "@/test/support/console-pages";

const { open } = withConsole({ env: basicAuth });

const themes = ["light", "dark"] as const;
/** A desk, a phone, and the narrowest that WCAG 1.4.10 asks for. */
const widths = [1280, 390, 320];

describe.each(consolePages)("$path", ({ path, heading, data, needsSession = true }) => {
  it.each(themes.flatMap((theme) => widths.map((width) => ({ theme, width }))))(
    "loads without a fault in $theme at $width px",
    async ({ theme, width }) => {
      const { page, goto } = await open({ theme, width, signedIn: needsSession });
      expect(await goto(path)).toBe(200);
      expect(await page.locator("h1").allInnerTexts()).toEqual([expect.stringMatching(heading)]);
      await expectNoSidewaysScrolling(page);
      await expectNoViolations(page);
    },
  );

  it("shows its data before any script has run", async () => {
    const { page, goto } = await open({ signedIn: needsSession, javaScript: false });
    await goto(path);
    expect(await page.locator("main").innerText()).toMatch(data);
  });
});
