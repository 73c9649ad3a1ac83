import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import PermissionPage, { generateMetadata } from "@/app/(console)/rpcs/[...name]/page";
import type { PermissionUseAnswer } from "@/app/(console)/rpcs/schema";
import { AppError } from "@/lib/platform/errors";
import { expectLink, expectNotFound, showPage } from "@/test/support/page";

const data = vi.hoisted(() => ({ findPermissionUse: vi.fn() }));
vi.mock("@/app/(console)/rpcs/queries", () => data);

const none = { levels: [], differing: [] };
const full = { levels: ["FULL" as const], differing: [] };
type App = PermissionUseAnswer["apps"][number];
const anApp = (id: number, partial: Partial<App> = {}): App => ({
  ...{ id, uuid: `uuid-${id}`, name: `App ${id}`, vendor: "Acme", is_blocked: false },
  ...{ requested: ["FULL"], staging: none, production: none, lost_in: null },
  ...partial,
});
const aUse = (partial: Partial<PermissionUseAnswer> = {}): PermissionUseAnswer => ({
  ...{ rpc: "Alert", parameter: null, parents: [], parameters: [], groups: { items: [], total: 0 } },
  every_app: { staging: none, production: none },
  counts: { all: 0, requested: 0, production: 0, staging: 0, withheld: 0, lost: 0 },
  ...{ apps: [], total: 0, after: 0, releases: [] },
  ...partial,
});

const showUse = (name: readonly string[], query: Record<string, string> = {}) =>
  showPage(PermissionPage, `/rpcs/${name.join("/")}`, query, { name });
function show(use: PermissionUseAnswer, query: Record<string, string> = {}) {
  data.findPermissionUse.mockResolvedValue(use);
  return showUse(use.parameter === null ? [use.rpc] : [use.rpc, use.parameter], query);
}
const rowOf = (name: string) =>
  within(screen.getByRole("row", { name: new RegExp(`^${name}`) }))
    .getAllByRole("cell")
    .map(({ textContent }) => textContent);

it("L20: names the groups with the levels at which they give it, in letters and words", async () => {
  const says = { levels: ["FULL" as const, "BACKGROUND" as const], is_veto: false };
  const items = [
    { name: "Notifications", prompt: "Notifications", staging: says, production: null },
    { name: "Quiet", prompt: null, staging: { levels: [], is_veto: true }, production: says },
  ];
  await show(aUse({ groups: { items, total: 60 } }));
  const row = within(screen.getByRole("row", { name: /^Notifications/ }));
  expect(row.getByRole("cell", { name: "FULL, BACKGROUND" })).toHaveTextContent("F·B·");
  expect(row.getByRole("cell", { name: "Does not give it" })).toHaveTextContent("–");
  expect(row.getByText("Asks the driver: Notifications")).toBeVisible();
  expect(row.getByRole("link")).toHaveAttribute(
    "href",
    "/functionalgroups/manage?name=Notifications&environment=staging",
  );
  expect(rowOf("Quiet")[0]).toBe("Forbids it: lists no parameter");
  expectLink("All 60 as a list", "/functionalgroups?environment=staging&rpc=Alert");
});

it("L20: says of each app what it requests, has and has lost", async () => {
  const apps = [
    anApp(1, { production: full, staging: { levels: ["FULL", "LIMITED"], differing: ["BACKGROUND"] } }),
    anApp(2),
    anApp(3, { requested: null, lost_in: 12 }),
    anApp(4, { is_blocked: true, requested: [] }),
    anApp(5, { production: full, requested: [] }),
  ];
  await show(
    aUse({ apps, total: 5, counts: { all: 5, requested: 4, production: 1, staging: 1, withheld: 2, lost: 1 } }),
  );
  expect(rowOf("App 1")).toEqual(["F···FULL", "FLb·FULL, LIMITED; BACKGROUND in some head units", "F···FULL"]);
  expect(rowOf("App 2")).toEqual(["F···FULL", "–Not in staging", "–Not in production✕ F···, not at FULL"]);
  const lost = "–Not in production− lost in #12";
  expect(rowOf("App 3")).toEqual(["–Does not request it", "–Not in staging", lost]);
  expectLink("− lost in #12", "/releases/12");
  expect(screen.getByRole("row", { name: /^App 4Acme · blocked/ })).toBeVisible();
  expect(rowOf("App 4")).toEqual(["Any level", "–Not in staging", "–Not in production✕ , not at any level"]);
  expect(rowOf("App 5")).toEqual(["Any level", "–Not in staging", "F···FULL"]);
  expect(
    screen.getByText("In no group. 1 app may use it in production, 2 apps request more than they have."),
  ).toBeVisible();
  expectLink(/^Lost/, "/rpcs/Alert?apps=lost");
});

it("leads from a parameter to the other RPCs that have it, and from an RPC to its parameters", async () => {
  await show(aUse({ rpc: "GetVehicleData", parameter: "gps", parents: ["GetVehicleData", "OnVehicleData"] }));
  expect(screen.getByRole("heading", { level: 1, name: "gps" })).toBeVisible();
  expect(screen.getByText("Location and routes")).toBeVisible();
  expectLink("OnVehicleData", "/rpcs/OnVehicleData/gps");
  await show(aUse({ rpc: "GetVehicleData", parameters: ["gps", "a/b"] }));
  expectLink("a/b", "/rpcs/GetVehicleData/a%2Fb");
});

it("tells of default groups, and of the releases that changed it", async () => {
  const at = "2026-02-02T16:20:05.000Z";
  await show(
    aUse({
      every_app: { staging: full, production: full },
      releases: Array.from({ length: 12 }, (_, index) => {
        return { number: 12 - index, name: "Spring", at, gained: index === 0 ? 2 : 0, lost: index === 0 ? 1 : 3 };
      }),
    }),
  );
  expect(screen.getByText(/^Every app without permissions of its own has it in staging and production/)).toBeVisible();
  expectLink("#12 Spring", "/releases/12");
  expect(screen.getByText("+ 2 apps")).toBeVisible();
  expect(screen.getByText("− 1 app")).toBeVisible();
  expect(screen.getByText("And 2 earlier releases.")).toBeVisible();
});

it("stays small with as much as there can be, and pages through the apps", async () => {
  const apps = Array.from({ length: 50 }, (_, at) => anApp(at + 1, { production: full, staging: full }));
  const says = { levels: ["FULL" as const], is_veto: false };
  const items = Array.from({ length: 50 }, (_, at) => ({
    name: `G-${at}`,
    prompt: "P",
    staging: says,
    production: says,
  }));
  const parameters = Array.from({ length: 500 }, (_, at) => `parameter${at}`);
  const groups = { items, total: 300 };
  await show(aUse({ apps, total: 2000, after: 50, parameters, groups }), { after: "50", q: "App" });
  expect(document.querySelectorAll("*").length).toBeLessThanOrEqual(2400);
  expectLink("Previous", "/rpcs/Alert?q=App");
  expectLink("Next", "/rpcs/Alert?q=App&after=100");
});

it("answers what is not known with the not-found page, and everything else with an error", async () => {
  data.findPermissionUse.mockRejectedValue(new AppError("notFound", "There is no RPC"));
  for (const name of [["Nothing"], ["a", "b", "c"], ["%E0%A4%A"]]) await expectNotFound(showUse(name));
  data.findPermissionUse.mockRejectedValue(new Error("down"));
  await expect(showUse(["Alert"])).rejects.toThrow("down");
  const params = Promise.resolve({ name: ["GetVehicleData", "gps"] });
  const metadata = await generateMetadata({ params, searchParams: Promise.resolve({}) });
  expect(metadata).toEqual({ title: "gps of GetVehicleData · RPCs" });
});
