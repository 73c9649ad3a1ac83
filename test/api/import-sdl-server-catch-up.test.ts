import { existsSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { saveFlag } from "@/lib/apps/applications/commands";
import { saveApproval } from "@/lib/apps/applications/approval";
import { RevisionModel } from "@/models/database/revision";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { AuditEventModel } from "@/models/audit-event";
import { FeedbackModel } from "@/models/directory/feedback";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ModuleConfigModel } from "@/models/module-config";
import { ReleaseModel } from "@/models/release";
import { emptyDatabase, testContext } from "@/test/support/database";
import { moveHere, tableFor } from "@/test/support/migration";
import { fillSdlDatabase, postgresPrograms } from "@/test/support/postgres";
import { store, storeAppVersion, storeGroup } from "@/test/support/stored-records";
import { withSdlDatabase } from "@/test/support/with-sdl-database";

const tuned = "aaaaaaaa-0000-4000-8000-000000000001";
const blocked = "bbbbbbbb-0000-4000-8000-000000000002";
const refused = "cccccccc-0000-4000-8000-000000000003";
const pending = "dddddddd-0000-4000-8000-000000000004";
const unknown = "eeeeeeee-0000-4000-8000-000000000005";
const fresh = "ffffffff-0000-4000-8000-000000000006";

const groupColumns = `property_name, user_consent_prompt, status, created_ts, updated_ts, is_default, is_pre_data_consent,
  is_device, description, is_deleted, is_app_provider_group, is_administrator_group, encryption_required, is_widget_group,
  is_proprietary_group`;
const laterGroup = (id: number, name: string, status: string, rpc: string, isDeleted = false) => `
  INSERT INTO function_group_info (id, ${groupColumns}) VALUES (${id}, '${name}', NULL, '${status}', '2025-01-01', '2025-01-01',
    ${name === "Base-4"}, false, false, NULL, ${isDeleted}, false, false, false, false, false);
  INSERT INTO function_group_hmi_levels VALUES (${id}, '${rpc}', 'FULL');`;
const laterVersion = (id: number, like: number, version: number, approval: string, uuid: string | null = null) => `
  CREATE TEMP TABLE copied AS SELECT * FROM app_info WHERE id = ${like};
  UPDATE copied SET id = ${id}, version_id = ${version}, approval_status = '${approval}', denial_message = NULL;
  ${uuid === null ? "" : `UPDATE copied SET app_uuid = '${uuid}', app_short_uuid = 'ffffffff06', name = 'Fresh';`}
  INSERT INTO app_info SELECT * FROM copied; DROP TABLE copied;
  INSERT INTO app_permissions VALUES (${id}, 'Show', 'HMI_FULL');`;

const since = `
  ${laterGroup(11, "Location-1", "STAGING", "GetVehicleData")}
  ${laterGroup(12, "Location-1", "PRODUCTION", "GetVehicleData")}
  ${laterGroup(13, "Location-1", "STAGING", "Alert")}
  ${laterGroup(14, "Base-4", "PRODUCTION", "Show")}
  ${laterGroup(15, "Widgets", "PRODUCTION", "CreateWindow", true)}
  ${laterGroup(16, "New", "STAGING", "Speak")}
  INSERT INTO message_group VALUES (3, 'Location', 'PRODUCTION', '2025-01-01', '2025-01-01', false),
    (4, 'Question', 'STAGING', '2025-01-01', '2025-01-01', false);
  INSERT INTO message_text (id, language_id, tts, message_group_id) VALUES (21, 'de-de', 'Neu?', 3), (22, 'en-us', 'New?', 3),
    (23, 'en-us', 'Another?', 4);
  CREATE TEMP TABLE tree AS SELECT * FROM custom_vehicle_data WHERE id IN (1, 2);
  UPDATE tree SET id = id + 10, parent_id = parent_id + 10, max_value = CASE WHEN id = 2 THEN '20' END;
  INSERT INTO custom_vehicle_data SELECT * FROM tree ORDER BY id; DROP TABLE tree;
  CREATE TEMP TABLE config AS SELECT * FROM module_config WHERE id = 1;
  UPDATE config SET id = 2, exchange_after_x_days = 14;
  INSERT INTO module_config SELECT * FROM config; DROP TABLE config;
  INSERT INTO module_config_retry_seconds VALUES (2, 2, 0), (2, 6, 1);
  INSERT INTO module_config_endpoint_property VALUES (2, 'custom_vehicle_data_mapping_url', 'version', '0.1.3');
  UPDATE app_info SET approval_status = 'ACCEPTED' WHERE id = 2;
  INSERT INTO app_function_groups VALUES (2, 'Partner', '2025-01-01');
  UPDATE app_info SET approval_status = 'ACCEPTED', denial_message = NULL, encryption_required = true WHERE id = 4;
  DELETE FROM app_oem_enablements WHERE key IN ('blacklist', 'auto_approve');
  INSERT INTO app_oem_enablements VALUES ('${pending}', 'blacklist', '2025-01-01'), ('${tuned}', 'administrator_fg', '2025-01-01');
  UPDATE app_hybrid_preference SET hybrid_preference = 'BOTH';
  UPDATE app_certificates SET certificate = 'REVG';
  ${laterVersion(7, 4, 301, "STAGING")}
  ${laterVersion(8, 1, 102, "PENDING")}
  ${laterVersion(9, 3, 1, "ACCEPTED", fresh)}`;

// Debian's package `postgresql`.
describe.skipIf(postgresPrograms === null)("X10a: import-sdl-server --catch-up", () => {
  const { postgres, folder, move, reportFile, readReport } = withSdlDatabase();
  beforeEach(async () => {
    await emptyDatabase();
    await fillSdlDatabase(postgres);
  });
  const catchUp = (...args: string[]) => move("--catch-up", ...args);

  const uuids = [tuned, blocked, refused, pending, unknown, fresh];
  async function tables() {
    const found = [await tableFor("staging", uuids), await tableFor("production", uuids)];
    for (const table of found) {
      delete table.consumer_friendly_messages.version;
      delete table.vehicle_data.schema_version;
    }
    return found;
  }
  async function state() {
    const flags = await ApplicationFlagsModel.find(
      {},
      { _id: 0, __v: 0, updatedAt: 0, createdAt: 0, revision: 0 },
    ).lean();
    const versions = await ApplicationModel.find({}, { __v: 0, storedAt: 0, createdAt: 0, updatedAt: 0 })
      .sort({ _id: 1 })
      .lean();
    return {
      tables: await tables(),
      // An app without a version leaves what nobody has set behind.
      flags: flags
        .filter(({ uuid, isBlacklisted }) => uuid !== unknown || isBlacklisted)
        .toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1)),
      versions: versions.map(({ _id, ...version }) => version).toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1)),
      containers: await AppCertificateModel.find({}, { __v: 0 }).lean(),
      retries: (await ModuleConfigModel.find().sort({ _id: -1 }).lean())[0]?.secondsBetweenRetries,
    };
  }
  const revision = async () => (await RevisionModel.findOne().lean())?.value;
  const events = () => AuditEventModel.countDocuments();
  const decide = (id: number, approval_status: "ACCEPTED" | "LIMITED" | "STAGING", more = {}) =>
    saveApproval(testContext, { id, approval_status, force: true, ...more });

  it("does nothing when nothing has changed there, whatever was done here", async () => {
    await move();
    await decide(2, "LIMITED");
    await store((tx) => storeGroup(tx, { name: "Base-4" }));
    const before = [await revision(), await events()];
    const { code, out } = await catchUp();
    expect([code, out.split("\n").slice(0, 3)]).toEqual([
      0,
      [
        "Nothing has changed on the other server since the last run",
        "  functional group Base-4 stays as it is here: it was changed here since the last run",
        `  app Roadtune (${tuned}), version 101 stays as it is here: it was changed here since the last run`,
      ],
    ]);
    expect([await revision(), await events()]).toEqual(before);
    expect((await ApplicationModel.findOne({ _id: 2 }).lean())?.approvalStatus).toBe("LIMITED");
  });

  it("ends with what a load into an empty database gives, in one revision and one release; again changes nothing", async () => {
    await postgres.query(since);
    await move();
    const expected = await state();
    await fillSdlDatabase(postgres);
    await emptyDatabase();
    await move();
    const [loaded, release] = [await revision(), await ReleaseModel.countDocuments()];
    await postgres.query(since);

    const { code, out, err } = await catchUp("--report", reportFile);
    expect([code, err, out]).toEqual([0, "", expect.stringMatching(/^Imported: 18 changes\n/)]);
    expect(out.split("\n").slice(1, 9)).toEqual([
      "  message Location: changed in production",
      "  message Question: changed in staging",
      "  vehicle data item cabinScent: changed in production",
      "  functional group Base-4: changed in production",
      "  functional group Location-1: changed in production, changed in staging",
      "  functional group Widgets: deleted in production",
      "  functional group New: changed in staging",
      "  the module config: changed in production",
    ]);
    expect(out).toContain(`app Roadtune (${tuned}), version 101: STAGING becomes ACCEPTED`);
    expect(out).toContain(`app ${unknown}: not blocked`);
    expect(readReport()).toMatchObject({ state: "done", command: "catch-up" });
    expect(await state()).toEqual(expected);
    expect([await revision(), await ReleaseModel.countDocuments()]).toEqual([Number(loaded) + 1, release + 1]);
    expect(await ReleaseModel.findOne().sort({ _id: -1 }).lean()).toMatchObject({
      kind: "import",
      name: "Catch-up with sdl_server",
      items: expect.arrayContaining([expect.objectContaining({ family: "group", key: "Widgets", change: "delete" })]),
    });
    expect(await FeedbackModel.countDocuments()).toBe(0);
    expect(await ApplicationModel.countDocuments({ isLatest: true })).toBe(5);

    const after = [await revision(), await events()];
    expect((await catchUp()).out).toMatch(/^Nothing has changed/);
    expect([await revision(), await events()]).toEqual(after);
  });

  it("carries over what changes later, run after run", async () => {
    await move();
    for (const [status, said] of [
      ["ACCEPTED", "STAGING becomes ACCEPTED"],
      ["LIMITED", "ACCEPTED becomes LIMITED"],
      ["STAGING", "LIMITED becomes STAGING"],
    ] as const) {
      await postgres.query(`UPDATE app_info SET approval_status = '${status}' WHERE id = 2`);
      expect((await catchUp()).out).toContain(`version 101: ${said}\n`);
      expect((await ApplicationModel.findOne({ _id: 2 }).lean())?.approvalStatus).toBe(status);
    }
    // A6: the other server has no priorities.
    await saveFlag(testContext, tuned, "priority", "NORMAL");
    await postgres.query("UPDATE app_hybrid_preference SET hybrid_preference = 'BOTH'");
    await catchUp();
    const flags = await ApplicationFlagsModel.findOne({ uuid: tuned }).lean();
    expect(flags).toMatchObject({ hybridAppPreference: "BOTH", priority: "NORMAL" });
  });

  it("ends with the same proof, and keeps what it has stored when that fails", async () => {
    await move();
    await postgres.query("UPDATE app_info SET approval_status = 'ACCEPTED' WHERE id = 2");
    const { code, out } = await catchUp("--verify", "http://127.0.0.1:1");
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^Imported: 1 change\n[^]*could not be compared: .*127\.0\.0\.1:1/),
    ]);
    expect((await ApplicationModel.findOne({ _id: 2 }).lean())?.approvalStatus).toBe("ACCEPTED");
  });

  it("--dry-run tells the same and stores nothing", async () => {
    await move();
    await postgres.query(since);
    const before = [await state(), await revision(), await events()];
    const { code, out } = await catchUp("--dry-run");
    expect([code, out]).toEqual([0, expect.stringMatching(/^Would be imported: 18 changes\n/)]);
    expect([await state(), await revision(), await events()]).toEqual(before);
    expect((await catchUp()).out).toMatch(/^Imported: 18 changes\n/);
  });

  it("never overwrites what was decided here: names it, and stores nothing", async () => {
    await move();
    await decide(2, "LIMITED", { denial_message: "not here" });
    await saveFlag(testContext, pending, "isAdministratorApp", true);
    await store((tx) => storeGroup(tx, { name: "Location-1", rpcs: [{ name: "Speak", levels: ["FULL"] }] }));
    await postgres.query(since);
    const before = [await state(), await revision(), await events()];
    const { code, err } = await catchUp("--report", reportFile);
    expect(readReport()).toMatchObject({
      state: "failed",
      details: expect.arrayContaining([expect.stringContaining("ACCEPTED there, LIMITED here")]),
    });
    expect([code, err.split("\n")]).toEqual([
      1,
      [
        expect.stringMatching(/^3 things were changed on both servers since the last run; nothing was imported/),
        "  functional group Location-1: changed on both servers since the last run",
        `  app Roadtune (${tuned}), version 101: ACCEPTED there, LIMITED here`,
        `  app ${pending}: blocked, not administrator app there, and changed here`,
        "",
      ],
    ]);
    expect([await state(), await revision(), await events()]).toEqual(before);
  });

  it("refuses what head units would refuse together with what was made here", async () => {
    await move();
    // A table holds 255 groups at most, and this server has its own by now.
    await store(async (tx) => {
      for (let n = 0; n < 255 - 7; n += 1) await storeGroup(tx, { name: `Own-${n}`, status: "PRODUCTION", release: 1 });
    });
    const before = await revision();
    await postgres.query(
      laterGroup(11, "One-too-many", "PRODUCTION", "Show") + laterGroup(12, "Two", "PRODUCTION", "Show"),
    );
    const { code, err } = await catchUp();
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^Head units would refuse .*\n.*functional_groupings: .*255/),
    ]);
    expect([await revision(), await FunctionalGroupModel.countDocuments({ name: "Two" })]).toEqual([before, 0]);
  });

  it("goes on when both servers have decided alike, or one follows the other", async () => {
    await move();
    await decide(2, "LIMITED");
    await postgres.query("UPDATE app_info SET approval_status = 'ACCEPTED' WHERE id IN (2, 6)");
    expect((await catchUp()).code).toBe(1);
    await decide(2, "ACCEPTED");
    const { code, out } = await catchUp();
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(`${pending}), version without a number: PENDING becomes ACCEPTED`),
    ]);
    expect(out).toMatch(/^Imported: 1 change\n/);
    // What both have decided is where the next run begins.
    await postgres.query("UPDATE app_info SET approval_status = 'LIMITED' WHERE id = 2");
    expect((await catchUp()).out).toContain("version 101: ACCEPTED becomes LIMITED");
  });

  it("takes the decision about a version that the directory has brought here as well, in the order of the other server", async () => {
    await move();
    // Here the directory delivered only the newest one.
    const values = { versionId: 103, services: [], name: "Roadtune" };
    await store((tx) => storeAppVersion(tx, tuned, "PENDING", values));
    await postgres.query(`${laterVersion(7, 1, 102, "ACCEPTED")} ${laterVersion(8, 1, 103, "PENDING")}`);
    const { code, out } = await catchUp();
    expect([code, out]).toEqual([0, expect.stringContaining("version 102: new, ACCEPTED")]);
    const versions = await ApplicationModel.find({ uuid: tuned }).sort({ _id: 1 }).lean();
    expect(versions.map(({ versionId, approvalStatus, isLatest }) => [versionId, approvalStatus, isLatest])).toEqual([
      [100, "ACCEPTED", false],
      [101, "STAGING", false],
      [102, "ACCEPTED", false],
      [103, "PENDING", true],
    ]);
    await postgres.query("UPDATE app_info SET approval_status = 'LIMITED' WHERE id = 8");
    expect((await catchUp()).out).toContain("version 103: PENDING becomes LIMITED");
  });

  it("takes a new module certificate, unless this server has a new one of its own", async () => {
    await move();
    const renew = (word: string) =>
      postgres.query(`UPDATE module_config SET certificate = 'CERT ${word}', private_key = 'KEY ${word}' WHERE id = 1`);
    const newest = async () => (await ModuleConfigModel.find().sort({ _id: -1 }).lean())[0];
    await renew("2");
    expect((await catchUp()).out).toContain("the module config: new certificate");
    expect(await newest()).toMatchObject({
      certificate: "CERT 2",
      privateKey: "KEY 2",
      secondsBetweenRetries: [1, 5, 25],
    });
    await ModuleConfigModel.updateMany({}, { $set: { certificate: "OURS", privateKey: "OUR KEY" } });
    await renew("3");
    const { code, out } = await catchUp();
    expect([code, out]).toEqual([
      0,
      expect.stringContaining("the certificate of the module config stays as it is here: both servers have a new one"),
    ]);
    expect(await newest()).toMatchObject({ certificate: "OURS", privateKey: "OUR KEY" });
  });

  it("refuses a database that was not carried over", async () => {
    await store((tx) => storeGroup(tx, { name: "Base-4" }));
    const { code, err } = await catchUp();
    expect([code, err]).toEqual([1, expect.stringMatching(/^The database of these settings was not filled/)]);
    expect(await FunctionalGroupModel.countDocuments()).toBe(1);
    // X9: an empty policy must not become one that a server starts with.
    const dataDir = path.join(folder, "nothing");
    const embedded = { DATA_DIR: dataDir, MONGODB_URI: "" };
    expect((await moveHere(["--postgres", postgres.url, "--catch-up"], embedded)).err).toBe(err);
    expect(existsSync(dataDir)).toBe(false);
  });

  it("names what the other server has lost, and keeps it", async () => {
    await move();
    await postgres.query(`${["app_permissions", "app_categories", "display_names"].map((table) => `DELETE FROM ${table} WHERE app_id = 2`).join(";")};
      DELETE FROM app_info WHERE id = 2`);
    for (const _ of ["once", "again"]) {
      const { code, out } = await catchUp();
      expect([code, out]).toEqual([
        0,
        expect.stringContaining(
          `app Roadtune (${tuned}), version 101 stays as it is here: the other server no longer has it\n`,
        ),
      ]);
    }
    expect(await ApplicationModel.countDocuments({ _id: 2, approvalStatus: "STAGING" })).toBe(1);
  });

  it("works on the embedded database that a stopped server has left", async () => {
    const dataDir = path.join(folder, "data");
    const run = (...args: string[]) =>
      moveHere(["--postgres", postgres.url, ...args], { DATA_DIR: dataDir, MONGODB_URI: "" });
    expect((await run()).code).toBe(0);
    await postgres.query("UPDATE app_info SET approval_status = 'ACCEPTED' WHERE id = 2");
    const { code, out, err } = await run("--catch-up");
    expect([code, err, out]).toEqual([0, "", expect.stringContaining("STAGING becomes ACCEPTED")]);
    expect((await run("--catch-up")).out).toMatch(/^Nothing has changed/);
  });
});
