import { describe, expect, it } from "vitest";
import { findVersionChanges, summarizeChanges } from "@/lib/apps/applications/console/version-changes";
import type { ApplicationJson } from "@/lib/apps/applications/answer-schema";
import { anApplicationJson } from "@/test/support/application-json";

const changes = (from: Partial<ApplicationJson>, to: Partial<ApplicationJson>) =>
  findVersionChanges(anApplicationJson(from), anApplicationJson(to));
type Permission = ApplicationJson["permissions"][number];
const permission = (key: string, hmi_level: Permission["hmi_level"]): Permission => ({ key, hmi_level, type: "RPC" });

describe("what changed between two versions", () => {
  it("is nothing when only the decision and its own members differ", () => {
    const later = { id: 42, version_id: 914, approval_status: "ACCEPTED", updated_ts: "2027-01-01T00:00:00.000Z" };
    expect(changes({}, { ...later, developer_version: "3.0.0" } as Partial<ApplicationJson>)).toEqual([]);
  });

  it("names added and removed permissions, and changed levels", () => {
    const show = permission("Show", "HMI_LIMITED");
    const before = [permission("Alert", "HMI_FULL"), show, permission("Old", null)];
    const after = [permission("Alert", "HMI_BACKGROUND"), show, permission("New", "HMI_NONE")];
    expect(changes({ permissions: before }, { permissions: after })).toEqual([
      {
        title: "Permissions",
        changes: [
          { kind: "added", name: "New at NONE" },
          { kind: "changed", name: "Alert", from: "FULL", to: "BACKGROUND" },
          { kind: "removed", name: "Old at no level" },
        ],
      },
    ]);
  });

  it("names new service types, and service names of known ones", () => {
    const [media] = anApplicationJson().services;
    const weather = { ...media!, name: "WEATHER", service_names: ["Storms"] };
    expect(changes({}, { services: [{ ...media!, service_names: ["Harbor Two"] }, weather] })).toEqual([
      {
        title: "App services",
        changes: [
          { kind: "added", name: "WEATHER" },
          { kind: "added", name: "MEDIA: Harbor Two" },
          { kind: "removed", name: "MEDIA: Tune Harbor" },
        ],
      },
    ]);
    // What an administrator granted is no change of the app.
    expect(changes({}, { services: [{ ...media!, permissions: [] }] })).toEqual([]);
  });

  it.each<[Partial<ApplicationJson>, string, object]>([
    [{ can_background_alert: true }, "Behaviour on the head unit", { name: "Background alerts", to: "yes" }],
    [{ can_steal_focus: true }, "Behaviour on the head unit", { name: "Can steal focus", from: "no", to: "yes" }],
    [{ can_manage_widgets: true }, "Behaviour on the head unit", { name: "Manages widgets" }],
    [{ default_hmi_level: "HMI_FULL" }, "Behaviour on the head unit", { name: "Default HMI level", to: "FULL" }],
    [{ cloud_endpoint: "ws://x" }, "Connection and package", { name: "Endpoint", from: null, to: "ws://x" }],
    [{ cloud_transport_type: "WS" }, "Connection and package", { name: "Endpoint transport" }],
    [{ transport_type: "webengine" }, "Connection and package", { name: "Transport" }],
    [{ package_url: "https://x/y.zip" }, "Connection and package", { name: "Package" }],
    [{ size_compressed_bytes: 12_345 }, "Connection and package", { name: "Package size", to: "12,345 bytes" }],
    [{ name: "Other" }, "Names and markets", { name: "Name", from: "Tune Harbor", to: "Other" }],
    [{ display_names: ["Tune Harbor", "B"] }, "Names and markets", { kind: "added", name: "Display name: B" }],
    [{ categories: [] }, "Names and markets", { kind: "removed", name: "Category: Media" }],
    [{ countries: [] }, "Names and markets", { kind: "removed", name: "Country: United States" }],
    [{ vendor_email: "new@example.com" }, "Requirements and contacts", { name: "Vendor e-mail" }],
    [{ min_rpc_version: "7.0.0" }, "Requirements and contacts", { name: "Minimum RPC version" }],
    [{ min_protocol_version: "5.4.1" }, "Requirements and contacts", { name: "Minimum protocol version" }],
  ])("sees %j", (later, title, change) => {
    const groups = changes({}, later);
    expect(groups.map((group) => group.title)).toEqual([title]);
    expect(groups[0]?.changes).toEqual([expect.objectContaining(change)]);
  });

  it("counts an empty text as none, and shows no certificate", () => {
    expect(changes({ description: null }, { description: "" })).toEqual([]);
    const ca_certificate = "-----BEGIN CERTIFICATE-----\nMIIBsecretABCDEFGHIJKL\n-----END CERTIFICATE-----";
    const change = { kind: "changed", name: "CA certificate of the endpoint", from: null };
    expect(changes({}, { ca_certificate })[0]?.changes[0]).toEqual({ ...change, to: "certificate …ABCDEFGHIJKL" });
  });

  it("puts what is riskier first", () => {
    const all = { vendor_name: "X", name: "Y", package_url: "z", can_steal_focus: true, permissions: [] };
    expect(changes({}, all).map(({ title }) => title)).toEqual([
      "Permissions",
      "Behaviour on the head unit",
      "Connection and package",
      "Names and markets",
      "Requirements and contacts",
    ]);
  });
});

it("the summary: counts permissions and names the rest", () => {
  const groups = changes(
    { permissions: [permission("a", "HMI_FULL"), permission("b", "HMI_FULL"), permission("c", "HMI_FULL")] },
    { permissions: [permission("a", "HMI_NONE"), permission("d", null), permission("e", null)], cloud_endpoint: "x" },
  );
  expect(summarizeChanges(groups)).toBe("+2 permissions, −2 permissions, 1 level changed, connection and package");
  expect(summarizeChanges([])).toBe("");
});
