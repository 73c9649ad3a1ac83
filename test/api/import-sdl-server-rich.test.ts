import { afterAll, describe, expect, it } from "vitest";
import { movedDocuments } from "@/test/support/migration";
import { postgresPrograms } from "@/test/support/postgres";
import { richInstallation } from "@/test/support/sdl-server/installation";
import { from, type Rows, toSql } from "@/test/support/sdl-server/rows";
import { type SdlServer, startSdlServer } from "@/test/support/sdl-server/server";
import { withSdlDatabase } from "@/test/support/with-sdl-database";

const usual = [
  "the address at which vehicles reach each server",
  "the same to cars: only a Struct has params",
  "each server tells when its vehicle data was stored",
];

// Debian's package `postgresql`.
describe.skipIf(postgresPrograms === null)("import-sdl-server with a rich installation", () => {
  let server: SdlServer;
  let rows: Rows;
  const { move, reportFile, readReport } = withSdlDatabase(async () => {
    rows = await richInstallation();
    server = await startSdlServer({ rows });
    return toSql(rows);
  });
  afterAll(() => server.stop());

  it("X7, X8: arrives complete from its database, and the tables of all apps are equal", async () => {
    expect((await move("--verify", server.url, "--report", reportFile)).code).toBe(0);
    const { losses, verification } = readReport();
    expect([verification.tables, verification.apps, verification.holds, losses]).toEqual([4, 40, true, []]);
    expect([...new Set(verification.differences.map(({ reason }: any) => reason))]).toEqual(usual);

    const moved = await movedDocuments();
    expect(Object.fromEntries(Object.entries(moved).map(([name, list]) => [name, list.length]))).toEqual({
      groups: from(rows, "function_group_info").length,
      messages: from(rows, "message_group").length,
      vehicleData: from(rows, "custom_vehicle_data").filter(({ parent_id }) => parent_id === null).length,
      moduleConfigs: 2,
      apps: from(rows, "app_info").length,
      flags: 40,
      certificates: 10,
    });
    const inside = (list: readonly any[] | undefined, name: string) => list?.flatMap((one) => one[name]) ?? [];
    expect(inside(moved["messages"], "languages").length).toBe(8 * 20);
    expect(inside(moved["messages"], "languages")).toHaveLength(from(rows, "message_text").length);
    expect(inside(moved["vehicleData"], "nodes")).toHaveLength(from(rows, "custom_vehicle_data").length);
    const levels = inside(moved["groups"], "rpcs").flatMap((rpc) => rpc.levels);
    expect(levels).toHaveLength(from(rows, "function_group_hmi_levels").length);
    const parameters = inside(moved["groups"], "rpcs").flatMap((rpc) => rpc.parameters);
    expect(parameters).toHaveLength(from(rows, "function_group_parameters").length);
    for (const [name, table] of [
      ["permissions", "app_permissions"],
      ["displayNames", "display_names"],
      ["services", "app_service_types"],
      ["groupGrants", "app_function_groups"],
      ["locales", "app_locale"],
      ["categories", "app_categories"],
      ["countries", "app_countries"],
    ] as const) {
      expect([table, inside(moved["apps"], name).length]).toEqual([table, from(rows, table).length]);
    }
    const decided = moved["apps"]?.map(({ _id, versionId, approvalStatus, denialMessage, encryptionRequired }) => ({
      ...{ id: _id, version_id: versionId, approval_status: approvalStatus },
      ...{ denial_message: denialMessage, encryption_required: encryptionRequired },
    }));
    expect(from(rows, "app_info")).toMatchObject(decided ?? []);
    const containers = moved["certificates"]?.map(({ _id, container }) => ({ app_uuid: _id, certificate: container }));
    expect(from(rows, "app_certificates")).toMatchObject(containers ?? []);
  });
});
