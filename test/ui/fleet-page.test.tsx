import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import FleetPage from "@/app/(console)/fleet/page";
import type { FleetFigures } from "@/app/(console)/fleet/queries";
import { fleetHref } from "@/app/(console)/fleet/addresses";
import type { AnsweredFigures } from "@/lib/fleet/figures/answer-schema";
import { cells, expectLink, expectRedirect, link, press, region, showPage } from "@/test/support/page";
import { router } from "@/test/support/navigation";
import { useSettings } from "@/test/support/settings";

/* The figures of the fleet as a page (`fleet.md` S2, S8). */

const loadFleet = vi.hoisted(() => vi.fn());
vi.mock("@/app/(console)/fleet/queries", () => ({ loadFleet }));

const day = (at: number) => `2026-03-0${at}T00:00:00.000Z`;
const scope: Omit<AnsweredFigures, "total" | "steps"> = {
  ...{ from: day(1), to: day(3), step: "day", environment: "production", software: null, country: null },
  share: 0.04,
};
const value = (name: string, share: number | null) => ({ value: name, count: share && share * 1000, share });
const usage = {
  ...{
    reports: 100,
    full: 4_000,
    limited: 10,
    background: 0,
    none: 0,
    selections: 0,
    rejected: 25,
    refused: 0,
    removed: 0,
  },
  rejected_per_report: 0.25,
};
const figures: FleetFigures = {
  isNew: false,
  choices: { software: ["SYNC 4", "SYNC 3"], countries: ["DE"] },
  requests: {
    ...scope,
    total: { table: 1_800, repaired: 0, refused: 40 },
    steps: [1, 2].map((at) => ({ at: day(at), table: 900, repaired: 0, refused: at === 1 ? null : 36 })),
  },
  adoption: {
    ...scope,
    releases: [8, 7, 6, 5, 4, 3, null].map((release) => ({ release, count: 90, share: 0.14 })),
    steps: [1, 2].map((at) => ({
      at: day(at),
      releases: [
        { release: 8, count: 90 },
        { release: 3, count: null },
      ],
    })),
  },
  apps: {
    ...{ ...scope, requests: 1_800, unknown: [{ id: "<b>8675309</b>", count: null }] },
    apps: [
      { ...{ uuid: "u1", name: "Pigeonpost", count: 900, share: 0.5, own: 900, default: 0, blocked: 0 }, usage },
      { ...{ uuid: "u2", name: null, count: null, share: null, own: 0, default: null, blocked: 0 }, usage: null },
      { ...{ uuid: "other", name: null, count: 20, share: 0.01, own: 20, default: 0, blocked: 0 }, usage: null },
    ],
  },
  groups: { ...scope, groups: [{ name: "Location-1", yes: 90, no: 30, share: 0.75 }] },
  headUnits: {
    ...scope,
    ...{ software: [value("SYNC 4", 0.8), value("SYNC 3", null)], hardware: [value("APIM", 1)] },
    ...{ languages: [], countries: [value("DE", 1)], systems: [value("Android 15", 1)] },
  },
};

beforeEach(() => {
  useSettings({ FLEET_STATISTICS: "usage" });
  loadFleet.mockResolvedValue(figures);
});
const show = (query: Record<string, string> = {}) => showPage(FleetPage, "/fleet", query);
const rows = (name: string) => cells(within(region(name)).getAllByRole("table")[0] as HTMLElement);

it("S8: every chart has its table, a file, and a sentence or numbers; each says the share that was read", async () => {
  await show();
  const charts = ["Requests", "Adoption", "Apps", "Consents", "Unknown app ids", "Head-unit software", "Phones"];
  for (const name of charts) {
    const chart = within(region(name));
    expect(chart.getAllByRole("table").length).toBeGreaterThan(0);
    expect(link(`${name} as CSV`, chart).getAttribute("href")).toMatch(/^\/api\/v1\/fleet\/[\w-]+\?.*format=csv$/);
    if (name !== "Requests") expect(chart.getByText(/From a sample of 4 %\./)).toBeVisible();
  }
  expect(screen.getAllByRole("img").map((one) => one.getAttribute("aria-label"))).toEqual([
    "Requests in the last 7 days: policy tables 1,800, refused 40.",
    "Requests by the release that the vehicle had: #8 100 %.",
  ]);
});

it("S2: what few vehicles have is told as fewer than 10, never exactly", async () => {
  await show();
  expect(rows("Requests")).toEqual([
    ["Day (UTC)", "Policy tables", "Refused"],
    ["Mar 1", "900", "fewer than 10"],
    ["Mar 2", "900", "36"],
  ]);
  expect(rows("Adoption")[1]).toEqual(["Mar 1", "90", "0", "0", "0", "0", "fewer than 10", "0"]);
  expect(rows("Apps").slice(1)).toEqual([
    ["Pigeonpost", "50 %", "900", "4,000", "0.25"],
    ["u2Default", "–", "fewer than 10", "fewer than 10", "–"],
    ["Other apps", "1 %", "20", "fewer than 10", "–"],
  ]);
  expect(rows("Unknown app ids")[1]).toEqual(["<b>8675309</b>", "–", "fewer than 10"]);
  expect(rows("Head-unit software")[2]).toEqual(["SYNC 3", "–", "fewer than 10"]);
});

it("S8: range, environment and vehicles are in the address, and a software replaces a country", async () => {
  await show({ range: "30d", country: "DE" });
  expect(loadFleet).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ step: "day", cell: { of: "country", value: "DE" }, environment: "production" }),
    expect.any(Number),
  );
  expectLink("90 days", "/fleet?range=90d&country=DE");
  expectLink("SYNC 3", "/fleet?range=30d&software=SYNC+3");
  expectLink("Pigeonpost", "/applications/u1?tab=fleet");
  await press(/^Software/);
  await userEvent.click(await screen.findByRole("menuitemradio", { name: "SYNC 3" }));
  expect(router.push).toHaveBeenCalledWith("/fleet?range=30d&software=SYNC+3", { scroll: false });
  expect(fleetHref({ range: "7d", environment: "staging" }, "apps")).toBe("/fleet?range=7d&environment=staging#apps");
});

it("S8: an address with both, or with anything unknown, is cleaned", async () => {
  await expectRedirect(show({ range: "1y" }), "/fleet");
  await expectRedirect(show({ software: "SYNC 4", country: "DE" }), "/fleet?software=SYNC+4");
});

it("S8: without usage, says which charts need it", async () => {
  useSettings();
  const plain = { ...figures.apps, apps: figures.apps.apps.map((app) => ({ ...app, usage: null })) };
  loadFleet.mockResolvedValue({ ...figures, apps: plain, groups: { ...figures.groups, groups: [] } });
  await show();
  expect(rows("Apps")[0]).toEqual(["App", "Share of requests", "Requests"]);
  for (const name of ["Apps", "Consents"]) expect(region(name)).toHaveTextContent(/need FLEET_STATISTICS=usage/);
});

it("S8: before the first vehicle, says what to do; with statistics off, how to switch them on", async () => {
  loadFleet.mockResolvedValue({ ...figures, isNew: true });
  const { unmount } = await show();
  expect(screen.getByText("No vehicle has asked yet")).toBeVisible();
  expectLink("See the address for vehicles", "/moduleconfig?environment=production");
  expect(screen.queryByRole("navigation", { name: "Time range" })).not.toBeInTheDocument();
  unmount();
  useSettings({ FLEET_STATISTICS: "off" });
  await show();
  expect(screen.getByRole("note")).toHaveTextContent("Set FLEET_STATISTICS to requests or usage");
});

it("S8: a time without requests shows no empty charts, and the way back", async () => {
  const none = figures.requests.steps.map((step) => ({ ...step, table: 0, refused: 0 }));
  loadFleet.mockResolvedValue({ ...figures, requests: { ...figures.requests, steps: none } });
  await show({ range: "24h", software: "SYNC 9" });
  expect(screen.getByText("No such vehicle has asked in the last 24 hours")).toBeVisible();
  expect(screen.queryByRole("img")).not.toBeInTheDocument();
  expectLink("Show all vehicles", "/fleet?range=7d");
});
