import { describe, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { basicAuth, expectNoSidewaysScrolling, looks, withConsole } from "@/test/support/browser";

const { open } = withConsole({ env: basicAuth });

describe("command palette", () => {
  it.each(looks)("has nothing in it that axe minds, $theme, $width px", async ({ theme, width }) => {
    const { page, goto } = await open({ signedIn: true, theme, width });
    await goto("/functionalgroups");
    await page.getByRole("button", { name: "Search everything" }).click();
    const field = page.getByRole("combobox", { name: "Search everything" });
    await field.waitFor();
    await page.getByRole("option", { name: /^Module config/ }).waitFor();
    await expectNoViolations(page);
    await field.fill("speed");
    await page.getByRole("option", { name: /^Requested by/ }).waitFor();
    await expectNoViolations(page);
    await expectNoSidewaysScrolling(page);
    await field.fill("no such thing");
    await page.getByText("Nothing found for “no such thing”").waitFor();
    await expectNoViolations(page);
  });

  it("changes the theme", async () => {
    const { page, goto } = await open({ signedIn: true });
    await goto("/about");
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search everything" }).fill("dark");
    await page.getByRole("option", { name: "Theme: dark" }).click();
    await expect.poll(ground).not.toBe(light);
  });
});
