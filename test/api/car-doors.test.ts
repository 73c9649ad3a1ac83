import { beforeEach, describe, expect, it, vi } from "vitest";
import * as exchange from "@/app/api/v1/exchange/route";
import * as promotion from "@/app/api/v1/module/promote/route";
import * as changes from "@/app/api/v1/releases/changes/route";
import { log } from "@/lib/platform/log";
import { isUnfit } from "@/lib/policy/head-unit/finding";
import { checkPolicyTable } from "@/lib/policy/head-unit/head-unit-check";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { restoreVersion } from "@/lib/releases/items/history";
import { saveFirstData } from "@/lib/exchange/seed/first-data";
import { defaultRetries, environments } from "@/lib/vocabulary/terms";
import { ModuleConfigModel } from "@/models/module-config";
import { answeredTable, compiled, shortenedTable } from "@/test/support/answers";
import { fetchQuery, send, storeApp } from "@/test/support/applications";
import { refusalsOfCore45 } from "@/test/support/core-45";
import { emptyDatabase, testContext, withDatabase } from "@/test/support/database";
import { store, storeGroup, storeMessage, storeModuleConfig, storeVehicleData } from "@/test/support/stored-records";

withDatabase();
beforeEach(async () => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  await emptyDatabase();
  await saveFirstData({ root: process.cwd(), publicBaseUrl: "http://localhost:3000", withExampleApps: true });
});

const path = "module_config.seconds_between_retries";

describe("rule G12 behind every other door", () => {
  const withoutRetries = (status: "STAGING" | "PRODUCTION") =>
    store((tx) => storeModuleConfig(tx, status, { secondsBetweenRetries: [] }));

  it("a stored record is not saved once more", async () => {
    const id = await withoutRetries("STAGING");
    await store((tx) => storeModuleConfig(tx, "STAGING"));
    const before = await ModuleConfigModel.countDocuments();
    const moduleConfig = { family: "module_config", key: "" } as const;
    await expect(restoreVersion(moduleConfig, { id, base_id: null }, testContext)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(path),
      data: { findings: [{ severity: "stranded", path, rule: "C7 seconds_between_retries" }] },
    });
    expect(await ModuleConfigModel.countDocuments()).toBe(before);
  });

  it("it is not published without force, and the review names it", async () => {
    await withoutRetries("STAGING");
    expect(JSON.stringify((await fetchQuery(changes.GET)).data)).toContain("C7 seconds_between_retries");
    const refused = await send(promotion.POST, {});
    expect([refused.status, refused.message]).toEqual([409, expect.stringContaining("never ask for another policy")]);
    expect(refused.data.findings).toMatchObject([{ severity: "stranded", build: "external", path }]);
    expect((await send(promotion.POST, { force: true })).status).toBe(200);
  });

  it("it is not imported", async () => {
    const { document } = (await fetchQuery(exchange.GET, "?environment=staging")).data;
    const config = { ...document.module_config, seconds_between_retries: [] };
    const broken = { name: "a\0b", rpcs: [{ name: "Show", hmi_levels: ["FULL"] }] };
    const before = await ModuleConfigModel.countDocuments();
    for (const [member, part] of Object.entries({ module_config: config, groups: [broken] })) {
      for (const dry_run of [true, false]) {
        const answer = await send(exchange.POST, { document: { format: document.format, [member]: part }, dry_run });
        expect([answer.status, answer.message]).toEqual([
          400,
          expect.stringMatching(/seconds_between_retries|name holds a NUL/),
        ]);
      }
    }
    expect(await ModuleConfigModel.countDocuments()).toBe(before);
  });
});

it("data stored by 0.1.0 are served safely without an edit, to today's cars and to older ones", async () => {
  const uuid = "99999999-aaaa-4bbb-8ccc-000000000009";
  const services = [{ name: "WEATHER", displayName: "Weather", serviceNames: ["a\0b"], selectedPermissions: [] }];
  const rpcs = [{ name: "GetVehicleData", levels: ["FULL"], parameters: ["g\0s", "seatOccupancy"] }];
  await store(async (tx) => {
    await storeModuleConfig(tx, "PRODUCTION", { secondsBetweenRetries: [] });
    await storeMessage(tx, "Loc\0ation", "PRODUCTION", "pos\0ition");
    await storeGroup(tx, {
      name: "a\0b",
      status: "PRODUCTION",
      isDefault: true,
      userConsentPrompt: "Loc\0ation",
      rpcs,
    });
    await storeVehicleData(tx, "cabin\0Scent", "PRODUCTION");
  });
  await storeApp(uuid, "ACCEPTED", { displayNames: ["\0", "Sky\0"], services, iconUrl: "https://a\0b" });
  const snapshot = await createSnapshotLoader().load();
  const shortIds = [...snapshot.apps.values()].flatMap((app) => app.shortIds.map(({ shortId }) => shortId));
  const own = snapshot.apps.byUuid(uuid)?.shortIds[0]?.shortId ?? "";
  const asked = shortenedTable(Object.fromEntries(shortIds.map((id) => [id, {}])));
  for (const environment of environments) {
    const policy = await compiled(snapshot, environment);
    const table = answeredTable(policy, asked);
    expect(checkPolicyTable(table).filter(isUnfit)).toEqual([]);
    expect(table.module_config.seconds_between_retries).toEqual(defaultRetries);
    expect(table.app_policies[own]).toMatchObject({
      nicknames: ["?", "Sky?"],
      app_services: { WEATHER: { service_names: ["a?b"], handled_rpcs: [{ function_id: 0 }] } },
    });
    expect(table.app_policies[own]).not.toHaveProperty("icon_url");
    expect(table.app_policies.default.groups).toContain("a?b");
    expect(refusalsOfCore45(answeredTable(policy, { ...asked, module_config: {} }))).toEqual([]);
  }
});
