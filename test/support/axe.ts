import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** The rules of WCAG 2.2 up to level AA and axe's best practices; every finding fails, whatever its impact. */
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

/** Layers that take the focus while open count as regions: adds menus and lists to axe's dialogs. */
const regionMatcher = "dialog, [role=dialog], [role=alertdialog], svg, [role=menu], [role=listbox]";

interface Asked {
  readonly values: string[];
  readonly regionMatcher: string;
}

export async function expectNoViolations(page: Page): Promise<void> {
  const isLoaded = await page.evaluate(() => "axe" in globalThis);
  // Evaluated through the debugger, to which the page's Content-Security-Policy does not apply.
  if (!isLoaded) await page.evaluate(axe.source);
  const violations = await page.evaluate<AxeResults["violations"], Asked>(
    async ({ values, regionMatcher }) => {
      const loaded = (globalThis as unknown as { axe: typeof axe }).axe;
      loaded.configure({ checks: [{ id: "region", options: { regionMatcher } }] });
      // Listing all passing elements takes longer than checking them, and transferring the list as long again.
      const results = await loaded.run({ runOnly: { type: "tag", values }, resultTypes: ["violations"] });
      return results.violations;
    },
    { values: tags, regionMatcher },
  );
  const found = violations.flatMap(describe);
  // In the message, because lists in it are shortened to their length.
  expect(found, `axe on ${page.url()}\n${found.join("\n")}`).toEqual([]);
}

function describe({ id, impact, help, nodes }: AxeResults["violations"][number]): string[] {
  return nodes.map(({ html, failureSummary }) => `${id} (${impact ?? "?"}): ${help}\n${html}\n${failureSummary ?? ""}`);
}
