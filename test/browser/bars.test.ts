import { expect, it } from "vitest";
import { expectToastBesideBars } from "@/test/support/bars";
import { basicAuth, withConsole } from "@/test/support/browser";

const { open } = withConsole({ env: basicAuth });

it.each(["sticky", "fixed"])("U1: a toast over a %s bar that nobody knows is found", async (position) => {
  const { page, goto, problems } = await open({ signedIn: true });
  await goto("/activity");
  await page.evaluate((value) => {
    const bar = document.createElement("div");
    bar.textContent = "Forgotten";
    Object.assign(bar.style, {
      position: value,
      bottom: "0",
      right: "0",
      left: "0",
      height: "3rem",
      background: "red",
    });
    document.querySelector("main")?.append(bar);
  }, position);
  await expect(expectToastBesideBars(page, problems)).rejects.toThrow("Forgotten");
});
