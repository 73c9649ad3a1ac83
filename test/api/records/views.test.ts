import { expect, it } from "vitest";
import { findHeadIds, findHeads } from "@/lib/platform/db/heads";
import { findLiving, findStates } from "@/lib/records/store/queries";
import { withEmptyDatabase } from "@/test/support/database";
import { store, storeGroup, storeModuleConfig } from "@/test/support/stored-records";

withEmptyDatabase();

it("section 1: staging has per key the greatest id, production that of status PRODUCTION; newer ones wait", async () => {
  expect(await findHeadIds("group", "staging")).toEqual([]);
  const history = [
    { name: "Base", status: "PRODUCTION" },
    { name: "Location", status: "PRODUCTION" },
    { name: "Base", status: "STAGING" },
    { name: "New", status: "STAGING" },
    { name: "Base", status: "STAGING" },
    { name: "Location", status: "PRODUCTION", isDeleted: true },
  ];
  await store(async (tx) => {
    for (const record of history) await storeGroup(tx, record);
  });
  expect(await findHeadIds("group", "staging")).toEqual([4, 5, 6]);
  expect(await findHeads("group", "staging", { keys: ["New", "Nobody"] })).toEqual([{ id: 4, key: "New" }]);
  expect(await findHeadIds("group", "production")).toEqual([1, 6]);
  expect([...(await findLiving("group", "production"))]).toEqual([["Base", 1]]);
  expect((await findStates("group", "staging")).filter(({ status }) => status === "STAGING")).toHaveLength(2);
});

it("section 1: records that share one key, as module configs do, have one in each view", async () => {
  await store(async (tx) => {
    for (const status of ["PRODUCTION", "STAGING", "STAGING"] as const) await storeModuleConfig(tx, status);
  });
  expect(await findHeadIds("module_config", "staging")).toEqual([3]);
  expect(await findHeadIds("module_config", "production")).toEqual([1]);
});
