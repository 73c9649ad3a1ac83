import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import PolicyTablePage from "@/app/(console)/policytable/page";
import type { SeenFinding } from "@/lib/policy/status";
import { aSimulation } from "@/test/support/simulations";
import { api, expectLink, expectRedirect, region, showPage } from "@/test/support/page";

const table = {
  module_config: { exchange_after_x_ignition_cycles: 100 },
  functional_groupings: { "Base-4": { rpcs: null } },
  app_policies: { default: { groups: ["Base-4"] } },
};
let policies: Readonly<Record<string, object | null>> = {};
let findings: Readonly<Record<string, readonly SeenFinding[]>> = {};

vi.mock("@/lib/policy/services", () => ({
  findServices: () => ({ runtime: { policy: (environment: string) => policies[environment] ?? null } }),
}));
vi.mock("@/lib/policy/preview", () => ({ buildPreview: (policy: object) => [{ policy_table: policy }] }));
vi.mock("@/lib/policy/status", () => ({
  whenFollowed: () => Promise.resolve(),
  listFindings: (environment: string) => findings[environment] ?? [],
}));
vi.mock("@/lib/apps/applications/queries", () => ({
  loadAppNames: () => Promise.resolve(new Map([["uuid-1", "Tune Harbor"]])),
}));
vi.mock("@/lib/releases/queries", () => ({
  listReleases: () => Promise.resolve({ releases: [{ number: 12, name: "Winter" }], next_cursor: null }),
}));

beforeEach(() => {
  // A simulated browser measures nothing, so every line of the tree would be out of view.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(480);
  policies = { staging: table, production: { ...table, functional_groupings: {} } };
  findings = {};
});

const show = (query: Record<string, string> = {}) => showPage(PolicyTablePage, "/policytable", query);

describe("the policy table", () => {
  it.each([
    ["staging", {}, /1 group\b/],
    ["production", { environment: "production" }, /0 groups\b/],
  ])("shows the table of %s, its sections with their size, and where head units ask", async (name, query, size) => {
    await show(query);
    const tree = within(screen.getByRole("tree", { name: `Policy table of ${name}` }));
    expect(tree.getByText("functional_groupings")).toBeVisible();
    expect(screen.getByText(size)).toBeVisible();
    expect(screen.getByText(new RegExp(`/api/v1/${name}/policy$`))).toBeVisible();
  });

  it("?path= leads to the editor of the part", async () => {
    await show({ path: "policy_table.functional_groupings.Base-4" });
    expect(screen.getByRole("treeitem", { selected: true })).toHaveTextContent("Base-4");
    expectLink("Open group", "/functionalgroups/manage?name=Base-4&environment=staging");
  });

  it("what means nothing leaves the address", () =>
    expectRedirect(show({ nonsense: "1", environment: "production" }), "/policytable?environment=production"));

  it("finding A1: shows what head units would object to, with the app concerned", async () => {
    const refused = { build: "both", severity: "refused", rule: "4" } as const;
    findings = {
      production: [
        { ...refused, path: "app_policies.default.groups", message: "The list is empty.", uuid: null },
        { ...refused, path: "app_policies.x.groups", message: "Too many.", uuid: "x" },
      ],
    };
    await show();
    expect(screen.queryByRole("region", { name: "Problems head units would report" })).not.toBeInTheDocument();
    await show({ environment: "production" });
    const problems = region("Problems head units would report");
    expect(problems).toHaveAttribute("id", "findings");
    expect(within(problems).getByText("app_policies.default.groups")).toBeVisible();
    expectLink("Open app", "/applications/x", within(problems));
  });

  it("says so while there is no policy yet", async () => {
    policies = {};
    await show();
    expect(screen.getByText("No policy table yet")).toBeVisible();
    expect(screen.queryByRole("tree")).not.toBeInTheDocument();
  });
});

it("L15: the tab Vehicle: begins with the apps and the table of its address", async () => {
  api.answer = () => ({ data: aSimulation() });
  await show({ tab: "vehicle", of: "12", ids: "short", apps: "uuid-1" });
  expect(await screen.findByRole("combobox", { name: "Answered from" })).toHaveDisplayValue("Release 12: Winter");
  expect(screen.getByRole("combobox", { name: "App identifiers" })).toHaveDisplayValue("Short ids");
  expect(await screen.findByText(/^Release 12: Winter, 1 app/)).toBeVisible();
});
