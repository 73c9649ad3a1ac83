import { beforeAll, describe, expect, it } from "vitest";
import { verifyAuditEvents } from "@/lib/platform/audit/verify";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";
import { FeedbackModel } from "@/models/directory/feedback";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { CounterModel } from "@/models/database/counter";
import { ModuleConfigModel } from "@/models/module-config";
import { tableFor } from "@/test/support/migration";
import { postgresPrograms } from "@/test/support/postgres";
import { withSdlDatabase } from "@/test/support/with-sdl-database";

// Debian's package `postgresql`.
describe.skipIf(postgresPrograms === null)("import-sdl-server", () => {
  const { move, reportFile, readReport } = withSdlDatabase();
  let foretold: Awaited<ReturnType<typeof move>>;
  beforeAll(async () => {
    foretold = await move("--dry-run", "--report", reportFile);
    expect(await FunctionalGroupModel.countDocuments()).toBe(0);
    expect((await move()).code).toBe(0);
  });

  it("X7: carries groups over with ids, states, times, flags, levels and parameters", async () => {
    const groups = await FunctionalGroupModel.find().sort({ _id: 1 }).lean();
    expect(groups.map(({ _id, name, status, isDeleted }) => [_id, name, status, isDeleted])).toEqual([
      [1, "Base-4", "STAGING", false],
      [2, "Base-4", "PRODUCTION", false],
      [3, "Location-1", "PRODUCTION", false],
      [4, "Base-4", "STAGING", false],
      [5, "Widgets", "PRODUCTION", false],
      [7, "Widgets", "STAGING", true],
      [8, "Partner", "PRODUCTION", false],
      [9, "BaseBeforeDataConsent", "PRODUCTION", false],
      [10, "Device", "PRODUCTION", false],
    ]);
    expect(groups[2]).toMatchObject({
      userConsentPrompt: "Location",
      encryptionRequired: true,
      isWidgetGroup: false,
      createdAt: new Date("2024-01-02T10:00:00Z"),
      rpcs: [{ name: "GetVehicleData", levels: ["FULL"], parameters: ["cabinScent", "gps"] }],
    });
    expect(groups[4]).toMatchObject({ userConsentPrompt: null, isWidgetGroup: true });
    expect((await CounterModel.findOne({ _id: "functional_groups" }).lean())?.value).toBe(10);
  });

  it("X7: carries messages, vehicle data and the module config over, key and certificate included", async () => {
    const [message] = await ConsumerMessageModel.find({ _id: 1 }).lean();
    expect(message?.languages.map(({ id, languageId, tts }) => [id, languageId, tts])).toEqual([
      [11, "en-us", "May it?"],
      [12, "de-de", "Darf es?"],
    ]);
    expect(await CustomVehicleDataModel.find().lean()).toMatchObject([
      {
        ...{ _id: 1, name: "cabinScent" },
        nodes: [
          { id: 1, parentId: null },
          { id: 2, parentId: 1, mandatory: true, minValue: 0, maxValue: 10 },
        ],
      },
    ]);
    expect(await ModuleConfigModel.findOne().lean()).toMatchObject({
      secondsBetweenRetries: [1, 5, 25],
      endpoints: {
        "0x04": "http://localhost:3000/api/v1/softwareUpdate",
        lock_screen_icon_url: "https://i.example/lock.png",
      },
      endpointProperties: [{ endpoint: "custom_vehicle_data_mapping_url", name: "version", value: "0.1.2" }],
      notificationsPerMinute: { EMERGENCY: 60, PROJECTION: 15, NONE: 0 },
      subtleNotificationsPerMinute: { NAVIGATION: 16, NONE: 1 },
      certificate: "CERT",
      privateKey: "KEY",
    });
  });

  it("X7: carries apps over with all versions, decisions, grants, switches and containers; the directory hears nothing", async () => {
    const apps = await ApplicationModel.find().sort({ _id: 1 }).lean();
    expect(
      apps.map(({ _id, versionId, approvalStatus, isLatest }) => [_id, versionId, approvalStatus, isLatest]),
    ).toEqual([
      [1, 100, "ACCEPTED", false],
      [2, 101, "STAGING", true],
      [3, 200, "ACCEPTED", true],
      [4, 300, "LIMITED", true],
      [6, null, "PENDING", true],
    ]);
    expect(apps[0]).toMatchObject({
      shortUuid: "aaaaaaaa01",
      encryptionRequired: true,
      groupGrants: ["Partner"],
      services: [
        { name: "MEDIA", displayName: "Media service", serviceNames: ["Tunes"], selectedPermissions: ["ButtonPress"] },
      ],
      countries: [{ iso: "DE", name: "Germany" }],
      displayNames: ["Roadtune", "Road tune"],
      locales: [{ code: "de-de", vrNames: ["Ton"], ttsChunks: [{ type: "TEXT", text: "Strassenton" }] }],
      nameKey: "roadtune",
    });
    expect(apps[3]?.denialMessage).toBe("asks too much");
    const flags = await ApplicationFlagsModel.find({ isBlacklisted: true }).sort({ uuid: 1 }).lean();
    expect(flags.map(({ uuid, uuidKey }) => [uuid, uuidKey.slice(0, 8)])).toEqual([
      ["bbbbbbbb-0000-4000-8000-000000000002", "bbbbbbbb"],
      ["eeeeeeee-0000-4000-8000-000000000005", "eeeeeeee"],
    ]);
    const [first] = await ApplicationFlagsModel.find({ uuid: apps[0]?.uuid ?? "" }).lean();
    expect(first).toMatchObject({ isAutoApprovedEnabled: true, hybridAppPreference: "CLOUD", isBlacklisted: false });
    expect(await AppCertificateModel.findOne().lean()).toMatchObject({ _id: apps[0]?.uuid, container: "QUJD" });
    expect(await FeedbackModel.countDocuments()).toBe(0);
  });

  it("W11: leaves an audit trail that is whole", async () =>
    expect(await verifyAuditEvents()).toMatchObject({ is_whole: true, broken_at: null }));

  it("X7: names everything that is not carried over, with its reason", () => {
    expect(foretold.out).toMatch(/^Would be imported:\n {2}9 functional groups\n/);
    expect(readReport().losses.map(({ table: from, reason }: any) => `${from}: ${reason}`)).toEqual([
      `function_group_hmi_levels: head units refuse ${"x".repeat(65)} at FULL`,
      "function_group_parameters: OnVehicleData has no HMI level, so no table holds its parameters",
      "message_text: no head unit knows the language es-en",
      "custom_vehicle_data: mandatory must be true or false",
      "module_config_endpoint_property: there is no endpoint no_such_endpoint",
      "app_service_type_names: it does not provide the service WEATHER",
      "app_oem_enablements: there is no switch unheard_of",
    ]);
  });

  it("gives vehicles what was decided: grants, prompts, blocked and undecided apps", async () => {
    const uuids = (await ApplicationFlagsModel.find().sort({ uuid: 1 }).lean()).map(({ uuid }) => uuid);
    const production = await tableFor("production", uuids);
    expect(Object.keys(production.functional_groupings).toSorted()).toEqual([
      ...["Base-4", "BaseBeforeDataConsent", "Device", "Location-1", "Partner", "Widgets"],
    ]);
    expect(production.functional_groupings["Base-4"].rpcs.Show.hmi_levels.toSorted()).toEqual(["FULL", "LIMITED"]);
    expect(production.functional_groupings["Location-1"].user_consent_prompt).toBe("Location");
    const [tuned = "", blocked = "", refused = "", pending = "", unknown = ""] = uuids;
    expect(production.app_policies[tuned].groups).toEqual(expect.arrayContaining(["Base-4", "Location-1", "Partner"]));
    expect([production.app_policies[blocked], production.app_policies[unknown]]).toEqual([null, null]);
    expect([production.app_policies[refused], production.app_policies[pending]]).toEqual(["default", "default"]);
    const staging = await tableFor("staging", uuids);
    expect(staging.functional_groupings["Base-4"].rpcs.Show.hmi_levels).toEqual(["NONE"]);
    expect(staging.functional_groupings).not.toHaveProperty("Widgets");
  });
});
