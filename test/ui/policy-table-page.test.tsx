import { render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import PolicyTablePage from "@/app/(console)/policytable/page";
import { log } from "@/lib/platform/log";
import type { SeenFinding } from "@/lib/policy/status";
import type { ComparisonAnswer } from "@/lib/simulator/answer-schema";
import { stubApi, stubBrowser } from "@/test/support/console-stubs";
import { forgetSettings, useSettings } from "@/test/support/settings";
import { aSimulation, aTableChange } from "@/test/support/simulations";

const table = {
  module_config: { exchange_after_x_ignition_cycles: 100 },
  functional_groupings: { "Base-4": { rpcs: null } },
  app_policies: { default: { groups: ["Base-4"] } },
};
let policies: Readonly<Record<string, object | null>> = {};
let comparison: ComparisonAnswer | null;
let compared: object[] = [];
let findings: Readonly<Record<string, readonly SeenFinding[]>> = {};

vi.mock("next/headers", () => ({ headers: () => Promise.resolve(new Headers()) }));
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => ({ push: vi.fn(), replace: vi.fn(), refresh: vi.fn() }),
  useSearchParams: () => new URLSearchParams(window.location.search),
  usePathname: () => "/policytable",
}));
vi.mock("@/lib/policy/services", () => ({
  findServices: () => ({ runtime: { policy: (environment: string) => policies[environment] ?? null } }),
}));
vi.mock("@/lib/policy/preview", () => ({ buildPreview: (policy: object) => [{ policy_table: policy }] }));
vi.mock("@/lib/policy/status", () => ({
  whenFollowed: () => Promise.resolve(),
  listFindings: (environment: string) => findings[environment] ?? [],
}));
vi.mock("@/lib/simulator/answers/simulation", () => ({
  compareTables: (asked: object) => {
    compared.push(asked);
    return comparison ? Promise.resolve(comparison) : Promise.reject(new Error("no comparison"));
  },
}));
vi.mock("@/lib/apps/applications/queries", () => ({
  loadAppNames: () => Promise.resolve(new Map([["uuid-1", "Tune Harbor"]])),
}));
vi.mock("@/lib/content/releases/queries", () => ({
  listReleases: () => Promise.resolve({ releases: [{ number: 12, name: "Winter" }], next_cursor: null }),
}));

forgetSettings();
beforeEach(() => {
  useSettings();
  stubBrowser();
  // A simulated browser measures nothing, so every line of the tree would be out of view.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(480);
  policies = { staging: table, production: { ...table, functional_groupings: {} } };
  findings = {};
  comparison = { sections: [], apps: [], changed_apps: { count: 0, apps: [] } };
  compared = [];
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function show(query: Record<string, string> = {}) {
  window.history.replaceState(null, "", `/policytable?${new URLSearchParams(query).toString()}`);
  render(await PolicyTablePage({ params: Promise.resolve({}), searchParams: Promise.resolve(query) }));
}

describe("the policy table", () => {
  it("shows the staging table, its sections with their size, and where head units ask", async () => {
    await show();
    const tree = within(screen.getByRole("tree", { name: "Policy table of staging" }));
    expect(tree.getByText("functional_groupings")).toBeVisible();
    expect(screen.getByText(/1 group\b/)).toBeVisible();
    expect(screen.getByText(/\/api\/v1\/staging\/policy$/)).toBeVisible();
  });

  it("shows the production table when the address names it", async () => {
    await show({ environment: "production" });
    expect(screen.getByRole("tree", { name: "Policy table of production" })).toBeVisible();
    expect(screen.getByText(/\/api\/v1\/production\/policy$/)).toBeVisible();
  });

  it("?path= leads to the editor of the part", async () => {
    await show({ path: "policy_table.functional_groupings.Base-4" });
    expect(screen.getByRole("treeitem", { selected: true })).toHaveTextContent("Base-4");
    expect(screen.getByRole("link", { name: "Open group" })).toHaveAttribute(
      "href",
      "/functionalgroups/manage?name=Base-4&environment=staging",
    );
  });

  it("what means nothing leaves the address", async () => {
    await expect(show({ nonsense: "1", environment: "production" })).rejects.toMatchObject({
      digest: expect.stringContaining("/policytable?environment=production"),
    });
  });

  it("finding A1: shows what head units would object to, with the app concerned", async () => {
    const refused = { build: "both", severity: "refused", rule: "4" } as const;
    findings = {
      production: [
        { ...refused, path: "app_policies.default.groups", message: "The list is empty.", uuid: null },
        { ...refused, path: "app_policies.x.groups", message: "Too many.", uuid: "x" },
      ],
    };
    await show({ environment: "production" });
    const region = screen.getByRole("region", { name: "Problems head units would report" });
    expect(region).toHaveAttribute("id", "findings");
    expect(within(region).getByText("app_policies.default.groups")).toBeVisible();
    expect(within(region).getByRole("link", { name: "Open app" })).toHaveAttribute("href", "/applications/x");
  });

  it("says nothing of head units that take the table", async () => {
    await show();
    expect(screen.queryByRole("region", { name: "Problems head units would report" })).not.toBeInTheDocument();
  });

  it("says so while there is no policy yet", async () => {
    policies = {};
    await show();
    expect(screen.getByText("No policy table yet")).toBeVisible();
    expect(screen.queryByRole("tree")).not.toBeInTheDocument();
  });
});

describe("L17: the tab Compare", () => {
  const choice = (name: string) => screen.getByRole("combobox", { name });

  it("shows at once what staging would bring to production", async () => {
    await show({ tab: "compare" });
    expect(compared).toEqual([{ from: "production", to: "staging", apps: [] }]);
    expect(screen.getByRole("link", { name: "Compare" })).toHaveAttribute("aria-current", "page");
    expect(choice("From")).toHaveDisplayValue("Production");
    expect(choice("To")).toHaveDisplayValue("Staging");
    expect(screen.getByText("The two tables are the same")).toBeVisible();
  });

  it("compares a release with any other, and chosen apps", async () => {
    const changes = [aTableChange()];
    const section = { section: "functional_groupings", added: 0, changed: 1, removed: 0, changes };
    comparison = { sections: [section], apps: [], changed_apps: { count: 0, apps: [] } };
    await show({ tab: "compare", from: "12", to: "production", apps: "uuid-1,uuid-2" });
    expect(compared).toEqual([{ from: 12, to: "production", apps: ["uuid-1", "uuid-2"] }]);
    expect(choice("From")).toHaveDisplayValue("Release 12: Winter");
    const apps = within(screen.getByRole("list", { name: "App entries" })).getAllByRole("listitem");
    expect(apps.map((app) => app.textContent)).toEqual(["Tune Harbor", "uuid-2"]);
    expect(screen.getByRole("region", { name: "functional_groupings" })).toHaveTextContent("Alert › HMI levels");
    expect(screen.queryByRole("link", { name: /^Review/ })).not.toBeInTheDocument();
  });

  it("1.2, Partial: says so when the tables cannot be compared", async () => {
    comparison = null;
    vi.spyOn(log, "error").mockImplementation(() => undefined);
    await show({ tab: "compare" });
    expect(screen.getByRole("alert")).toHaveTextContent(/^The two tables could not be compared\./);
    expect(choice("From")).toBeVisible();
  });
});

describe("L15: the tab Vehicle", () => {
  it("begins with the apps and the table of its address", async () => {
    stubApi(() => ({ data: aSimulation() }));
    await show({ tab: "vehicle", of: "12", ids: "short", apps: "uuid-1" });
    expect(await screen.findByRole("combobox", { name: "Answered from" })).toHaveDisplayValue("Release 12: Winter");
    expect(screen.getByRole("combobox", { name: "App identifiers" })).toHaveDisplayValue("Short ids");
    expect(await screen.findByText(/^Release 12: Winter, 1 app/)).toBeVisible();
  });
});
