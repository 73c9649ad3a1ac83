import { expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { expectNoSidewaysScrolling, looks, withConsole } from "@/test/support/browser";
import { fillDataDir } from "@/test/support/fill";
import { emptyDataDir } from "@/test/support/server";

/* The fleet page and the overview with a made-up month (`bench/fleet-month.ts`). */

const { open, ask } = withConsole({
  env: { FLEET_STATISTICS: "usage" },
  dataDir: async () => {
    const folder = emptyDataDir();
    await fillDataDir(folder, 28, "--example-apps", "--example-item", "--fleet");
    return folder;
  },
});

it.each(looks)("S8: has every chart, $theme at $width px", async ({ theme, width }) => {
  const { page, goto } = await open({ theme, width });
  expect(await goto("/fleet?range=30d")).toBe(200);
  for (const name of ["Requests", "Adoption", "Apps", "Consents", "Unknown app ids", "Head-unit software", "Phones"]) {
    await page.getByRole("region", { name, exact: true }).waitFor();
  }
  await expectNoSidewaysScrolling(page);
  await expectNoViolations(page);
  // Labels of an axis do not overlap, however narrow it is.
  const overlaps = await page.getByRole("img").evaluateAll((charts) =>
    charts.flatMap((chart) => {
      const boxes = [...chart.querySelectorAll("text")].map((text) => text.getBoundingClientRect());
      return boxes.flatMap((a, at) =>
        boxes
          .slice(at + 1)
          .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
          .map(() => chart.getAttribute("aria-label")),
      );
    }),
  );
  expect(overlaps).toEqual([]);
});

it("S8: the range and the vehicles are chosen, and a country replaces a software", async () => {
  const { page, goto } = await open();
  await goto("/fleet");
  await page.getByRole("link", { name: "24 hours" }).click();
  await page.waitForURL(/range=24h/);
  await page.getByRole("region", { name: "Head-unit software" }).getByRole("link", { name: "SYNC 4.2.1" }).click();
  await page.waitForURL(/software=SYNC/);
  await page.getByText("Which vehicles were refused is not known").waitFor();
  await page.getByRole("button", { name: /^Country/ }).click();
  await page.getByRole("menuitemradio", { name: "DE" }).click();
  await page.waitForURL((url) => url.searchParams.get("country") === "DE" && !url.searchParams.has("software"));
  const csv = await page.getByRole("link", { name: "Adoption as CSV" }).getAttribute("href");
  const answer = await page.request.get(csv ?? "");
  expect(answer.headers()["content-type"]).toBe("text/csv; charset=utf-8");
  expect(await answer.text()).toMatch(/at,release,count\r\n20/);
});

it("S7: the overview is one screen, and leads to the figures behind each picture", async () => {
  const { page, goto } = await open({ width: 1280, height: 800 });
  // Notices about the set-up are shown whole once.
  await goto("/");
  await goto("/");
  const bottoms = await page
    .locator("main")
    .getByRole("region")
    .evaluateAll((regions) => regions.map((one) => one.getBoundingClientRect().bottom));
  expect(Math.max(...bottoms)).toBeLessThanOrEqual(800);
  await expectNoViolations(page);
  await page.getByRole("link", { name: "Releases in vehicles" }).click();
  await page.waitForURL(/\/fleet\?range=30d#adoption$/);
});

it("S9: the last release names the app whose calls are rejected since, and the app's page shows it", async () => {
  const { releases } = await ask("/releases");
  const { page, goto } = await open();
  await goto(`/releases/${releases[0].number}`);
  await page.getByRole("region", { name: "Adoption" }).waitFor();
  await expectNoViolations(page);
  await page.getByRole("note").getByRole("link").click();
  await page.getByRole("region", { name: "Rejected calls" }).waitFor();
  await expectNoSidewaysScrolling(page);
  await expectNoViolations(page);
});
