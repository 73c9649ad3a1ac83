import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** The rules of WCAG 2.2 to level AA and what axe calls best practice: no finding of any weight is let pass. */
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

/** Layers that take the focus while they are open are regions of their own: to axe's dialogs add menus and lists. */
const regionMatcher = "dialog, [role=dialog], [role=alertdialog], svg, [role=menu], [role=listbox]";

interface Asked {
  readonly values: string[];
  readonly regionMatcher: string;
}

/** Has axe look at the page as it stands, open dialogs included, and expects nothing to be found. */
export async function expectNoViolations(page: Page): Promise<void> {
  const isLoaded = await page.evaluate(() => "axe" in globalThis);
  // Evaluated through the debugger, which the page's Content-Security-Policy does not concern.
  if (!isLoaded) await page.evaluate(axe.source);
  const violations = await page.evaluate<AxeResults["violations"], Asked>(
    async ({ values, regionMatcher }) => {
      const loaded = (globalThis as unknown as { axe: typeof axe }).axe;
      loaded.configure({ checks: [{ id: "region", options: { regionMatcher } }] });
      // To name every element that passes takes longer than to look at it, and to bring the names here as long again.
      const results = await loaded.run({ runOnly: { type: "tag", values }, resultTypes: ["violations"] });
      return results.violations;
    },
    { values: tags, regionMatcher },
  );
  expect(violations.flatMap(describe), `axe on ${page.url()}`).toEqual([]);
}

function describe({ id, impact, help, nodes }: AxeResults["violations"][number]): string[] {
  return nodes.map(({ html, failureSummary }) => `${id} (${impact ?? "?"}): ${help}\n${html}\n${failureSummary ?? ""}`);
}
