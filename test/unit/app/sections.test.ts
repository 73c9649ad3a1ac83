import { expect, it } from "vitest";
import { consoleSections, environmentUse, isWithin } from "@/app/_components/shell/navigation/sections";
import type { CountersAnswer } from "@/app/_console/answer-schema";
import { noCounters } from "@/test/support/console-stubs";

const badges = (counters: Partial<CountersAnswer>) =>
  consoleSections.flatMap((section) =>
    section.badges({ ...noCounters, ...counters }).map(({ count, words, href }) => [section.label, count, words, href]),
  );

it("1.1: nothing waits, no badge", () => expect(badges({})).toEqual([]));

it("1.2: badges are spoken in full and lead to the work that waits", () => {
  const counts = { pending_applications: 3, modified_groups: 1, unmapped_rpcs: 1, unmapped_parameters: 4 };
  const modified = { modified_messages: 2, modified_vehicle_data: 1, is_module_config_modified: true };
  const unmapped = "1 RPC and 4 parameters in no functional group in production";
  const groups = "/functionalgroups?environment";
  expect(badges({ ...counts, ...modified })).toEqual([
    ["Applications", 3, "3 pending applications", "/applications?state=review"],
    ["Functional groups", 1, "1 functional group not in production", `${groups}=staging&state=modified`],
    ["Functional groups", 5, unmapped, `${groups}=production&panel=unmapped`],
    ["Consumer messages", 2, "2 messages not in production", "/consumermessages?environment=staging&state=modified"],
    ["Vehicle data", 1, "1 vehicle data item not in production", "/vehicledata?environment=staging&state=modified"],
    ["Module config", null, "Saved changes not in production", "/moduleconfig?environment=staging"],
  ]);
});

it("knows which pages have an environment, and which section they belong to", () => {
  expect(environmentUse("/functionalgroups")).toBe("switch");
  expect(environmentUse("/functionalgroups/manage")).toBe("tell");
  expect(environmentUse("/applications/3")).toBe("none");
  expect(environmentUse("/policytable", "table")).toBe("switch");
  expect(environmentUse("/policytable", "vehicle")).toBe("none");
  expect(isWithin("/applications/3", { href: "/applications" })).toBe(true);
  expect(isWithin("/changes", { href: "/releases", also: "/changes" })).toBe(true);
  expect(isWithin("/applicationsx", { href: "/applications" })).toBe(false);
  const sectionsOf = (pathname: string) =>
    consoleSections.filter((section) => isWithin(pathname, section)).map(({ label }) => label);
  expect(sectionsOf("/rpcs/GetVehicleData/gps")).toEqual(["Functional groups"]);
  expect(sectionsOf("/changes")).toEqual(["Releases"]);
  expect([isWithin("/", { href: "/" }), isWithin("/applications", { href: "/" })]).toEqual([true, false]);
});

it("finding E2: apps that cannot be read and failed tasks are marked where they are explained", () => {
  expect(badges({ unreadable_applications: 148, failed_tasks: 2 })).toEqual([
    ["About", 150, "148 unreadable apps, 2 failed tasks", "/about#directory"],
  ]);
  expect(badges({ failed_tasks: 1 })).toEqual([["About", 1, "1 failed task", "/about#directory"]]);
});
