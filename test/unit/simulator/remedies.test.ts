import { describe, expect, it } from "vitest";
import {
  aBaseGroup,
  aGroup,
  aMessage,
  anAppVersion,
  anRpc,
  aVehicleDataRecord,
  inBothViews,
} from "@/test/support/builders";

import { alertAt, ask, asksForAlert, gps, uuid, vehicleData, type Case } from "./ask";

describe("L16: what would change a no", () => {
  const item = (family: string, key: string) => ({ family, key });
  /** A group that allows Alert at BACKGROUND, and whatever else is the case. */
  const having = (group: object = {}, more: Case = {}): Case => ({
    groups: [{ rpcs: alertAt("BACKGROUND"), ...group }],
    ...more,
  });

  const v6 = { label: "v6", version: anAppVersion({ id: 6, approvalStatus: "PENDING", ...asksForAlert }) };

  it.each<[string, Case, string, unknown]>([
    [
      "a level of a group of the app",
      {
        groups: [{ name: "Notifications", rpcs: [anRpc({ name: "Alert", levels: ["FULL"] }), anRpc()] }],
        version: { permissions: [{ key: "Show", hmiLevel: "HMI_FULL" }] },
      },
      "Add the HMI level BACKGROUND to Alert in Notifications",
      item("group", "Notifications"),
    ],
    [
      "a parameter",
      { groups: [{ rpcs: vehicleData([]), isDefault: true }], question: gps },
      "Add the parameter gps to GetVehicleData in G0, which every app has",
      item("group", "G0"),
    ],
    [
      "both",
      { groups: [{ rpcs: vehicleData([], "FULL"), isDefault: true }], question: gps },
      "Add the HMI level BACKGROUND and the parameter gps to GetVehicleData in G0, which every app has",
      item("group", "G0"),
    ],
    [
      "an RPC that no group has",
      {},
      "Add Alert at BACKGROUND to a functional group that the app has, such as Base, which every app has",
      item("group", "Base"),
    ],
    [
      "a proprietary grant",
      having({ name: "OemDiag", isProprietaryGroup: true }),
      "Grant the proprietary group OemDiag to v4",
      item("app", uuid),
    ],
    [
      "an administrator",
      having({ isAdministratorGroup: true }),
      "Make the app an administrator app, which brings G0",
      item("app", uuid),
    ],
    ["widgets", having({ isWidgetGroup: true }), "Have a version that manages widgets, which brings G0", null],
    [
      "a service",
      having({ isAppProviderGroup: true }),
      "Have a version that provides an app service, which brings G0",
      null,
    ],
    ["a request", having(), "Have a version that asks for Alert at BACKGROUND, which brings G0", null],
    [
      "a block",
      having({}, { version: asksForAlert, app: { isBlacklisted: true } }),
      "Unblock the app",
      item("app", uuid),
    ],
    [
      "a message",
      having({ userConsentPrompt: "Notifications" }, { version: asksForAlert }),
      "Write the message Notifications, with which G0 asks",
      item("message", "Notifications"),
    ],
    [
      "a message in staging",
      having(
        { userConsentPrompt: "Notifications" },
        {
          version: asksForAlert,
          snapshot: {
            messages: { staging: [aMessage({ category: "Notifications", status: "STAGING" })], production: [] },
          },
        },
      ),
      "Publish the message Notifications, with which G0 asks",
      item("message", "Notifications"),
    ],
    [
      "a group in staging",
      {
        version: asksForAlert,
        snapshot: {
          groups: {
            production: [aBaseGroup()],
            staging: [aBaseGroup(), aGroup({ id: 9, name: "New", status: "STAGING", rpcs: alertAt("BACKGROUND") })],
          },
        },
      },
      "Publish the group New",
      item("group", "New"),
    ],
    [
      "vehicle data in staging",
      {
        question: { ...gps, parameter: "cabinScent" },
        groups: [{ rpcs: vehicleData(["cabinScent"]), isDefault: true }],
        snapshot: { vehicleData: { staging: [aVehicleDataRecord({ status: "STAGING" })], production: [] } },
      },
      "Publish the vehicle data item cabinScent",
      item("vehicle_data", "cabinScent"),
    ],
    [
      "vehicle data that nobody has",
      {
        question: { ...gps, parameter: "cabinScent" },
        groups: [{ rpcs: vehicleData(["cabinScent"]), isDefault: true }],
      },
      "Add cabinScent to the custom vehicle data, and publish it",
      null,
    ],
    ["a newer version", having({}, { others: [v6] }), "Accept v6", item("app", uuid)],
    [
      "a newer version in staging",
      having({}, { environment: "staging", others: [v6] }),
      "Put v6 in staging",
      item("app", uuid),
    ],
  ])("L16: %s", (_, asked, sentence, about) => {
    const answer = ask(asked);
    expect(answer.is_allowed).toBe(false);
    expect(answer.remedies[0]).toEqual({ sentence, item: about });
  });

  it("L16: an older version changes nothing, nor one that does not ask for it", () => {
    const groups = [{ rpcs: alertAt("BACKGROUND") }];
    const older = { label: "v1", version: anAppVersion({ id: 1, ...asksForAlert }) };
    const silent = { label: "v6", version: anAppVersion({ id: 6 }) };
    const answer = ask({ groups, version: { id: 5 }, others: [silent, older] });
    expect(answer.would_change.filter((sentence) => sentence.startsWith("Accept"))).toEqual([]);
  });

  it("L16: a blocked app needs the other step as well", () => {
    const answer = ask({
      groups: [{ isProprietaryGroup: true, rpcs: alertAt("BACKGROUND") }],
      app: { isBlacklisted: true },
    });
    expect(answer.would_change).toContain("Unblock the app, and grant the proprietary group G0 to v4");
    expect(answer.would_change).not.toContain("Unblock the app");
  });

  it("L16: a published item that is no newer than production's is not offered", () => {
    const both = [aBaseGroup(), aGroup({ id: 9, name: "New", rpcs: alertAt("BACKGROUND") })];
    expect(ask({ snapshot: { groups: inBothViews(...both) } }).would_change).not.toContain("Publish the group New");
  });
});

it("L16: what was granted by hand can be taken back", () => {
  const groups = [{ name: "OemDiag", isProprietaryGroup: true, rpcs: alertAt("BACKGROUND") }];
  const answer = ask({ groups, version: { groupGrants: ["OemDiag"] } });
  expect(answer.is_allowed).toBe(true);
  expect(answer.would_change[0]).toBe("Take back the grant of OemDiag");
});
