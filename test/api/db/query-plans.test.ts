import { beforeAll, describe, expect, it } from "vitest";
import { saveApplicationFlags, saveApplicationVersion } from "@/lib/applications/store-version";
import { buildApplicationVersion } from "@/lib/applications/rules";
import { findHeadIds, findHeads } from "@/lib/db/heads";
import { withLock } from "@/lib/db/lock";
import { prepareDatabase } from "@/lib/db/prepare";
import { readRevision } from "@/lib/db/revision";
import { directoryApplication } from "@/lib/directory/schema";
import { createSnapshotLoader } from "@/lib/policy/load-snapshot";
import { saveFirstData } from "@/lib/seed/first-data";
import { ApplicationModel } from "@/models/application";
import { withDatabase } from "@/test/support/database";
import { aDirectoryApplication } from "@/test/support/directory-records";
import { describeQuery, explainStages, watchQueries } from "@/test/support/query-plans";
import { store, storeGroup, storeModuleConfig, storeVehicleData } from "@/test/support/stored-records";

withDatabase();

const options = { root: process.cwd(), publicBaseUrl: "http://localhost:3000", withExampleApps: true };
const undecided = {
  isBlacklisted: false,
  isAutoApprovedEnabled: false,
  autoApproveAllApps: false,
  encryptionRequired: false,
};
const version = () => {
  const record = directoryApplication.parse(aDirectoryApplication({ uuid: "plan-app" }));
  return buildApplicationVersion(record, { defaults: undecided, serviceTypes: [], now: new Date() });
};

/**
 * What asks the database anything. A new query belongs in this table; each of them must find an index, or it will
 * walk through every document of a database that has grown.
 */
const queries: readonly (readonly [name: string, run: () => Promise<unknown>])[] = [
  ["preparing the database", () => prepareDatabase()],
  ["first data", () => saveFirstData(options)],
  ["first data, again", () => saveFirstData(options)],
  ["the revision", () => readRevision()],
  ["a lock", () => withLock("plan", { ttlMs: 1000, wait: true }, () => Promise.resolve())],
  ["heads of groups", () => findHeadIds("groups", "staging")],
  ["heads of groups in production", () => findHeadIds("groups", "production")],
  ["heads of messages", () => findHeads("messages", "staging", { keys: ["Location"] })],
  ["heads of messages in production", () => findHeads("messages", "production", { keys: ["Location"] })],
  ["heads of vehicle data", () => findHeadIds("vehicleData", "staging")],
  ["heads of module configs", () => findHeadIds("moduleConfigs", "staging")],
  ["heads of module configs in production", () => findHeadIds("moduleConfigs", "production")],
  ["storing a version of an app", () => store((tx) => saveApplicationVersion(tx, version()))],
  ["a version that is stored already", () => store((tx) => saveApplicationVersion(tx, version()))],
  ["an app's flags", () => store((tx) => saveApplicationFlags(tx, "plan-app", { isBlacklisted: true }))],
  ["a first policy snapshot", () => createSnapshotLoader().load()],
  [
    "a later policy snapshot",
    async () => {
      const loader = createSnapshotLoader();
      await loader.load();
      await store(async (tx) => {
        await storeGroup(tx, { name: "Plan" });
        await storeModuleConfig(tx, "STAGING");
        await storeVehicleData(tx, "plan", "STAGING");
        await saveApplicationFlags(tx, "plan-app", {});
      });
      await loader.load();
    },
  ],
];

describe("every query finds an index", () => {
  beforeAll(() => saveFirstData(options));

  it.each(queries)("%s", async (_, run) => {
    const seen = await watchQueries(run);
    expect(seen.length).toBeGreaterThan(0);
    const scanning = [];
    for (const query of seen)
      if ((await explainStages(query)).includes("COLLSCAN")) scanning.push(describeQuery(query));
    expect(scanning).toEqual([]);
  });

  it("notices a query that finds none", async () => {
    const [query] = await watchQueries(() => ApplicationModel.findOne({ description: "x" }).lean());
    if (query === undefined) throw new Error("The query was not seen.");
    expect(await explainStages(query)).toContain("COLLSCAN");
  });
});
