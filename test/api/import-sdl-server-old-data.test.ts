import { readdirSync } from "node:fs";
import path from "node:path";
import mongoose from "mongoose";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { findContent } from "@/lib/platform/backup/restore";
import { prepareDatabase } from "@/lib/platform/db/prepare";
import { isUnfit } from "@/lib/policy/head-unit/finding";
import { checkPolicyTable } from "@/lib/policy/head-unit/head-unit-check";
import { greatestInteger } from "@/lib/policy/head-unit/values";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ModuleConfigModel } from "@/models/module-config";
import { emptyDatabase } from "@/test/support/database";
import { isWhole } from "@/test/support/extent";
import { commandHere, tableFor } from "@/test/support/migration";
import { postgresPrograms, readRows } from "@/test/support/postgres";
import { defaultInstallation } from "@/test/support/sdl-server/installation";
import { manyApps, uuidOf, versionsOf } from "@/test/support/sdl-server/many-apps";
import { toSql } from "@/test/support/sdl-server/rows";
import { startSdlServer } from "@/test/support/sdl-server/server";
import { withSdlDatabase } from "@/test/support/with-sdl-database";

async function expectTaken(uuids: readonly string[] = []): Promise<Record<"staging" | "production", any>> {
  const tables = { staging: await tableFor("staging", uuids), production: await tableFor("production", uuids) };
  for (const table of Object.values(tables)) expect(checkPolicyTable(table).filter(isUnfit)).toEqual([]);
  return tables;
}

// Debian's package `postgresql`.
describe.skipIf(postgresPrograms === null)("import-sdl-server of installations that have grown", () => {
  const { postgres, folder, reportFile, readReport, move: moveFrom } = withSdlDatabase(() => Promise.resolve(""));
  let installation: string;
  beforeAll(async () => {
    installation = toSql(await defaultInstallation());
  });
  beforeEach(() => emptyDatabase());
  afterEach(() => vi.unstubAllEnvs());

  async function install(sql: string): Promise<void> {
    const names = "SELECT string_agg(quote_ident(tablename), ', ') FROM pg_tables WHERE schemaname = 'public'";
    await postgres.query(`DO $$ BEGIN EXECUTE 'TRUNCATE ' || (${names}) || ' CASCADE'; END $$; ${installation} ${sql}`);
  }
  const move = (...args: string[]) => moveFrom("--report", reportFile, ...args);
  const moreGroups = (
    name: string,
    numbers: string,
    { status = "PRODUCTION", isDefault = "false", isOwn = "false" } = {},
  ) =>
    `INSERT INTO function_group_info (id, property_name, status, created_ts, updated_ts, is_default, is_pre_data_consent,
       is_device, is_deleted, is_app_provider_group, is_administrator_group, encryption_required, is_proprietary_group)
     SELECT 100 + n, '${name}' || n, '${status}', '2024-01-01', '2024-01-01', ${isDefault}, false, false, false,
       false, false, false, ${isOwn} FROM generate_series(${numbers}) AS n;`;
  const moreItems = (status: string, count: number, name = "n") =>
    `INSERT INTO custom_vehicle_data (id, status, name, type, key, mandatory, "array", is_deleted, created_ts, updated_ts)
     SELECT n, '${status}', 'own' || ${name}, 'Integer', 'K' || n, 'false', 'false', false, '2024-01-01', '2024-01-01'
     FROM generate_series(1, ${count}) AS n;`;

  it("M1, X7: serves the row that the other server serves, and gives numbers to rows that share one or have none", async () => {
    await install(
      versionsOf(`VALUES
        (1, 1, NULL, 'ACCEPTED'), (2, 1, NULL, 'PENDING'), (3, 1, NULL, 'LIMITED'),
        (4, 2, 20, 'ACCEPTED'), (5, 2, 20, 'PENDING'),
        (6, 3, 31, 'ACCEPTED'), (7, 3, 30, 'ACCEPTED'), (8, 3, 31, 'STAGING'),
        (9, 4, NULL, 'ACCEPTED'), (10, 4, 40, 'ACCEPTED'), (11, 4, 40, 'LIMITED'),
        (12, 5, NULL, 'PENDING')`),
    );
    const { code, out, err } = await move();
    expect([code, err, out]).toEqual([0, expect.any(String), expect.stringMatching(/^Nothing lost$/m)]);
    const stored = await ApplicationModel.find().sort({ _id: 1 }).lean();
    expect(stored.map(({ _id, versionId, isLatest }) => `${_id}: ${versionId}${isLatest ? " latest" : ""}`)).toEqual([
      ...["1: null", "2: -2", "3: -3 latest"],
      ...["4: 20", "5: -5 latest"],
      ...["6: 31", "7: 30", "8: -8 latest"],
      ...["9: null", "10: 40", "11: -11 latest"],
      "12: null latest",
    ]);
    const uuids = [1, 2, 3, 4, 5].map(uuidOf);
    const { production, staging } = await expectTaken(uuids);
    const served = (table: any) =>
      uuids.map((uuid) => table.app_policies[uuid].nicknames?.[0] ?? table.app_policies[uuid]);
    // Newest granted by id, whatever the numbers say.
    const rows = ["App 1 of row 1", "App 2 of row 4", "App 3 of row 7", "App 4 of row 10", "default"];
    expect(served(production)).toEqual(rows);
    expect(served(staging)).toEqual(rows.map((name, index) => (index === 2 ? "App 3 of row 8" : name)));
    const numbered = readReport().losses.filter(({ at }: any) => at === "version_id");
    expect(numbered.map(({ reason }: any) => Number(/-\d+$/.exec(reason)?.[0]))).toEqual([-2, -3, -5, -8, -11]);
  });

  it("M1: an accepted version is carried over whatever its row lacks", async () => {
    await install(
      `INSERT INTO hmi_levels VALUES ('HMI_ANY'); ${versionsOf("VALUES (1, 1, 10, 'ACCEPTED')")}
      UPDATE app_info SET name = '', platform = '', default_hmi_level = 'HMI_ANY'`,
    );
    expect(await move()).toMatchObject({ code: 0 });
    expect((await expectTaken([uuidOf(1)])).production.app_policies[uuidOf(1)]).toMatchObject({ default_hmi: "NONE" });
    expect(await ApplicationModel.findOne().lean()).toMatchObject({ name: uuidOf(1), platform: "UNKNOWN" });
    expect(readReport().losses.filter(({ table }: any) => table === "app_info")).toMatchObject([
      { reason: expect.stringContaining("it has no name"), at: "name" },
      { reason: expect.stringContaining("it has no platform"), at: "platform" },
      { reason: expect.stringContaining("there is no HMI level HMI_ANY"), at: "default_hmi" },
    ]);
  });

  describe("M7, X7: what head units refuse is clamped, cut or left out, and named", () => {
    const long = "n".repeat(300);
    const [retries, perMinute] = ["seconds_between_retries", "notifications_per_minute_by_priority"];
    const ofAddresses = "head units take addresses of at least 10 bytes";
    const ofVersions = "head units take a version of at most 100 bytes: it is cut";
    const ofTexts = "head units take texts of at most 65535 bytes: line1 is cut";
    const ofParameters = "head units take at most 100 parameters of GetVehicleData: left out own101";
    const cases: readonly (readonly [title: string, sql: string, losses: readonly object[]])[] = [
      [
        "six retries, one of 3,000 s and one of 0",
        `INSERT INTO module_config_retry_seconds VALUES (1, 7, 5); UPDATE module_config_retry_seconds SET seconds = 3000 WHERE seconds = 625;
         UPDATE module_config_retry_seconds SET seconds = 0 WHERE seconds = 1`,
        [
          { table: "module_config_retry_seconds", at: retries, reason: "head units take at most 5: left out 7" },
          { at: retries, reason: "head units take 1 to 1000: 1 instead of 0" },
          { at: retries, reason: "head units take 1 to 1000: 1000 instead of 3000" },
        ],
      ],
      [
        "300 days, 300 ignition cycles, 70,000 s and -1 km",
        `UPDATE module_config SET exchange_after_x_days = 300, exchange_after_x_ignition_cycles = 300,
         timeout_after_x_seconds = 70000, exchange_after_x_kilometers = -1`,
        [
          { reason: "head units take 0 to 255: 255 instead of 300", at: "exchange_after_x_ignition_cycles" },
          { reason: `head units take 0 to ${greatestInteger}: 0 instead of -1`, at: "exchange_after_x_kilometers" },
          { reason: "head units take 0 to 255: 255 instead of 300", at: "exchange_after_x_days" },
          { reason: "head units take 0 to 65535: 65535 instead of 70000", at: "timeout_after_x_seconds" },
        ],
      ],
      [
        "999 notifications of both kinds",
        "UPDATE module_config SET emergency_notifications = 999, subtle_none_notifications = -5",
        [
          { at: `${perMinute}.EMERGENCY`, reason: "head units take 0 to 255: 255 instead of 999" },
          { at: `subtle_${perMinute}.NONE`, reason: "head units take 0 to 255: 0 instead of -5" },
        ],
      ],
      [
        "addresses and a version of the wrong length",
        `UPDATE module_config SET endpoint_0x04 = '/update', lock_screen_default_url = '', custom_vehicle_data_mapping_url = 'x';
         INSERT INTO module_config_endpoint_property VALUES (1, 'queryAppsUrl', 'version', repeat('1', 101))`,
        [
          { at: "endpoints.0x04.default", reason: `${ofAddresses}: this server's own instead` },
          { at: "endpoints.lock_screen_icon_url.default" },
          { at: "endpoints.custom_vehicle_data_mapping_url", reason: `${ofAddresses}: left out` },
          { at: "endpoint_properties.custom_vehicle_data_mapping_url" },
          { at: "endpoint_properties.queryAppsUrl.version", reason: ofVersions },
        ],
      ],
      [
        "a certificate that is too long",
        "UPDATE module_config SET certificate = repeat('C', 60000), private_key = repeat('K', 6000), expiration_ts = '2034-01-01'",
        [{ table: "module_config", at: "certificate", reason: expect.stringContaining("at most 65535 bytes") }],
      ],
      [
        "a text of 70,000 bytes",
        "UPDATE message_text SET line1 = repeat('é', 35000) WHERE id = 1",
        [{ table: "message_text", at: "languages.en-us.line1", reason: ofTexts }],
      ],
      [
        "a prompt of 300 bytes",
        `UPDATE message_group SET message_category = '${long}' WHERE message_category = 'Location';
         UPDATE function_group_info SET user_consent_prompt = '${long}' WHERE user_consent_prompt = 'Location'`,
        [
          { table: "function_group_info", at: "user_consent_prompt" },
          { table: "message_group", reason: expect.stringMatching(/: now n{255}$/), now: `message ${"n".repeat(255)}` },
        ],
      ],
      [
        "an RPC with 101 parameters",
        `${moreItems("PRODUCTION", 101, "lpad(n::text, 3, '0')")}
         DELETE FROM function_group_parameters WHERE function_group_id = 2 AND rpc_name = 'GetVehicleData';
         INSERT INTO function_group_parameters SELECT 2, 'GetVehicleData', name FROM custom_vehicle_data`,
        [{ table: "function_group_parameters", at: "rpcs.GetVehicleData.parameters", reason: ofParameters }],
      ],
    ];
    it(`is so for ${cases.map(([title]) => title).join("; ")}`, async () => {
      await install(cases.map(([, sql]) => sql).join(";"));
      const expected = cases.flatMap(([, , losses]) => losses);
      const { code, out, err } = await move();
      const count = `Not imported, or changed: ${expected.length}\n`;
      expect([code, err, out]).toEqual([0, expect.any(String), expect.stringContaining(count)]);
      const losses = readReport().losses.filter(({ isUnused }: any) => !isUnused);
      for (const [title, , ofCase] of cases) {
        expect(losses, title).toEqual(expect.arrayContaining(ofCase.map((loss) => expect.objectContaining(loss))));
      }
      await expectTaken();
    });

    it("group names of 300 bytes stay different, and apps keep what was granted by them", async () => {
      await install(
        `${moreGroups(long, "1, 2", { isOwn: "true" })}
         INSERT INTO function_group_hmi_levels VALUES (101, 'Show', 'FULL'), (102, 'Speak', 'FULL');
         ${versionsOf("VALUES (1, 1, 10, 'ACCEPTED')")}
         INSERT INTO app_function_groups VALUES (1, '${long}2', '2024-01-01')`,
      );
      expect(await move()).toMatchObject({ code: 0 });
      const [first, second] = [long.slice(0, 255), `${long.slice(0, 253)}~2`];
      const { production } = await expectTaken([uuidOf(1)]);
      expect(Object.keys(production.functional_groupings[first].rpcs)).toEqual(["Show"]);
      expect(Object.keys(production.functional_groupings[second].rpcs)).toEqual(["Speak"]);
      const { groups } = production.app_policies[uuidOf(1)];
      expect([groups.includes(first), groups.includes(second)]).toEqual([false, true]);
      const lost = readReport().losses.filter(({ isUnused }: any) => !isUnused);
      expect(lost).toMatchObject([first, second].map((name) => ({ now: `group ${name}` })));
    });

    it("306 groups: those that were added last are left out, and never what production has already", async () => {
      await install(
        // 26 are there: 235 more in production make 261, and 45 in staging 306.
        moreGroups("More-", "1, 235", { isDefault: "n = 235" }) +
          moreGroups("More-", "236, 280", { status: "STAGING" }),
      );
      expect(await move()).toMatchObject({ code: 0 });
      const { production, staging } = await expectTaken();
      const names = Object.keys(production.functional_groupings);
      expect(names).toHaveLength(255);
      expect(Object.keys(staging.functional_groupings)).toEqual(names);
      expect(names).toContain("More-235");
      const lost = readReport().losses.filter(({ table }: any) => table === "function_group_info");
      const left = Array.from({ length: 52 }, (_, at) => 229 + at).filter((n) => n !== 235);
      expect(lost.map(({ what }: any) => what)).toEqual(left.map((n) => `group More-${n} (record ${100 + n})`));
    });

    it("300 messages: those that groups ask with stay", async () => {
      await install(
        `INSERT INTO message_group SELECT 100 + n, 'More-' || n, 'PRODUCTION', '2024-01-01', '2024-01-01', false FROM generate_series(1, 281) AS n;
         INSERT INTO message_text (id, language_id, tts, message_group_id) SELECT 90000 + n, 'en-us', 'May it?', 100 + n FROM generate_series(1, 281) AS n;
         UPDATE function_group_info SET user_consent_prompt = 'More-281' WHERE property_name = 'Location-1'`,
      );
      expect(await move()).toMatchObject({ code: 0 });
      const { production } = await expectTaken();
      expect(Object.keys(production.consumer_friendly_messages.messages)).toHaveLength(255);
      expect(production.functional_groupings).toHaveProperty("Location-1");
      expect(readReport().losses.filter(({ table }: any) => table === "message_group")).toHaveLength(45);
    });

    it("what is left is refused before the commit, with the place in the table; nothing is stored", async () => {
      await install(moreItems("STAGING", 255));
      for (const isDry of [true, false]) {
        const { code, err } = await move(...(isDry ? ["--dry-run"] : []));
        expect([code, err]).toEqual([
          1,
          expect.stringMatching(
            /^Head units would refuse the policy tables.*\nstaging: vehicle_data.schema_items: .*255/m,
          ),
        ]);
        // Nothing but the mark: no server begins with an empty policy in the place of this data (X9).
        expect(await findContent()).toEqual({ documents: 0, isHalf: false, isHalfImported: !isDry });
      }
      await expect(prepareDatabase()).rejects.toThrow(
        /loading failed or was interrupted.*run "open-policy import-sdl-server" again/,
      );
      await postgres.query("DELETE FROM custom_vehicle_data WHERE id > 200");
      expect(await move()).toMatchObject({ code: 0 });
      await prepareDatabase();
    });
  });

  it("X7, X8: the proof explains each of these by its report, and nothing else differs", async () => {
    const long = "n".repeat(300);
    await install(
      `${versionsOf(`VALUES (1, 1, NULL, 'ACCEPTED'), (2, 1, NULL, 'PENDING'), (3, 2, 20, 'STAGING'), (4, 2, 20, 'ACCEPTED'), (5, 2, 20, 'STAGING')`)}
       UPDATE function_group_info SET property_name = '${long}' WHERE property_name = 'Notifications';
       UPDATE function_group_info SET is_proprietary_group = true WHERE property_name IN ('${long}', 'RemoteControl');
       INSERT INTO app_function_groups SELECT id, '${long}', '2024-01-01' FROM app_info;
       UPDATE module_config SET exchange_after_x_days = 300, emergency_notifications = 999, query_apps_url = 'x';
       UPDATE module_config_retry_seconds SET seconds = 3000 WHERE seconds = 625;
       UPDATE message_text SET line1 = repeat('é', 35000) WHERE id = 1`,
    );
    const server = await startSdlServer({ rows: await readRows(postgres.url) });
    const { code, out, err } = await move("--verify", server.url);
    const { verification } = readReport();
    expect([verification?.differences.filter(({ reason }: any) => reason === null), code, err, out]).toEqual([
      [],
      0,
      expect.any(String),
      expect.stringContaining(verification.sentence),
    ]);
    expect(verification).toMatchObject({ holds: true, apps: 2, tables: 4 });

    const again = await commandHere(["verify-sdl-server", server.url]);
    server.stop();
    for (const name of ["exchange_after_x_days", "EMERGENCY", "seconds_between_retries", "line1", long, "groups"]) {
      expect([again.code, again.out]).toEqual([1, expect.stringContaining(name)]);
    }
  });

  it("M6: a dry run does everything but the commit: it says what the run says, and fails where the run fails", async () => {
    await install(`${manyApps(3)} UPDATE module_config SET exchange_after_x_days = 300`);
    vi.stubEnv("TMPDIR", folder);
    const dry = await move("--dry-run");
    const foretold = readReport();
    expect(await findContent()).toMatchObject({ documents: 0, isHalfImported: false });
    vi.unstubAllEnvs();
    expect(readdirSync(folder)).toEqual([path.basename(reportFile)]);
    const real = await move();
    expect([dry.code, real.code]).toEqual([0, 0]);
    expect(dry.out.replace("Would be imported", "Imported")).toBe(real.out);
    expect(foretold).toEqual({ ...readReport(), dry_run: true });
    const full = await move("--dry-run");
    expect([full.code, full.err]).toEqual([1, expect.stringContaining("holds data already")]);

    await emptyDatabase();
    await postgres.query("UPDATE function_group_info SET property_name = '' WHERE id = 3");
    const sentence =
      "The row with id 3 of function_group_info has no name: name it on the other server, or delete it there\n";
    for (const args of [["--dry-run"], []]) expect(await move(...args)).toMatchObject({ code: 1, err: sentence });
    expect(await findContent()).toEqual({ documents: 0, isHalf: false, isHalfImported: true });
  });

  it("M5, X6a: thousands of apps with three versions each are carried over in batches", async () => {
    const apps = isWhole ? 5000 : 400;
    await install(manyApps(apps));
    const { code, out, err } = await move();
    expect([code, err, out]).toEqual([
      0,
      expect.any(String),
      expect.stringContaining(`  ${apps * 3} applications\n  ${apps} application flags\n`),
    ]);
    expect(await ApplicationModel.countDocuments()).toBe(apps * 3);
    expect(await ApplicationModel.countDocuments({ isLatest: true })).toBe(apps);
    expect(await ApplicationFlagsModel.countDocuments()).toBe(apps);
    const { production } = await expectTaken([uuidOf(1), uuidOf(apps)]);
    const nicknames = (index: number) => production.app_policies[uuidOf(index)].nicknames;
    expect([nicknames(1), nicknames(apps)]).toEqual([[`App 1 of row ${apps + 1}`], [`App ${apps} of row ${apps * 2}`]]);
    expect((await mongoose.connection.collection("database_facts").findOne({}))?.["importingSince"]).toBeNull();
    // The records were put into a release, and what is saved next gets the ids after them.
    expect(await FunctionalGroupModel.countDocuments({ release: 1 })).toBe(26);
    expect(await ModuleConfigModel.findOne().lean()).toMatchObject({ release: 1 });
    const counter = await mongoose.connection.collection("counters").findOne({ _id: "applications" as never });
    expect(counter?.["value"]).toBe(apps * 3);
  });
});
