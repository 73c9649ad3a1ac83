import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import * as counters from "@/app/api/v1/ui/counters/route";
import { listStagedChanges, loadState } from "@/lib/releases/review/changes";
import { loadCounters } from "@/app/_console/counters";
import { shareServices } from "@/lib/policy/services";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { requirePolicy } from "@/lib/policy/status";
import { DirectoryTaskModel } from "@/models/directory/directory-task";
import { PermissionModel } from "@/models/permission";
import { WebhookJobModel } from "@/models/directory/webhook-job";
import { fetchQuery } from "@/test/support/applications";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { useSettings } from "@/test/support/settings";
import {
  store,
  storeAppVersion,
  storeFlags,
  storeGroup,
  storeMessage,
  storeModuleConfig,
  storePermission,
  storeVehicleData,
} from "@/test/support/stored-records";

withDatabase();
/** Each count is older than anything kept of the one before. */
let now = 0;
beforeEach(async () => {
  useSettings();
  now += 1_000_000;
  await emptyDatabase();
});

const nothing = {
  pending_applications: 0,
  waiting_approvals: 0,
  modified_groups: 0,
  unmapped_rpcs: 0,
  unmapped_parameters: 0,
  modified_messages: 0,
  modified_vehicle_data: 0,
  is_module_config_modified: false,
  unpublished_changes: 0,
  refused_tables: { staging: null, production: null },
  unreadable_applications: 0,
  failed_tasks: 0,
  reader: null,
};

it("N5a: reads after a confirmed write are that state while its policy is still compiled, and no counter stays older", async () => {
  await store((tx) => storeGroup(tx, { name: "A", status: "PRODUCTION" }));
  const runtime: any = { snapshot: await createSnapshotLoader().load(), caughtUp: () => Promise.resolve(false) };
  Object.assign(runtime, {
    isCurrent: true,
    findings: () => [],
    appFindings: () => [],
    policy: () => null,
    stop: () => Promise.resolve(),
  });
  runtime.status = () => ({ state: "ready", revision: runtime.snapshot.revision });
  shareServices({ runtime } as never);
  onTestFinished(() => shareServices(null));
  const changes = async () => listStagedChanges(await loadState()).map(({ key }) => key);
  const count = async () => (await loadCounters(null, now)).modified_groups;
  for (const [at, name] of ["A", "B", "C"].entries()) {
    await store((tx) => storeGroup(tx, { name }));
    expect([await count(), await changes()]).toEqual([at + 1, ["A", "B", "C"].slice(0, at + 1)]);
  }
  await expect(requirePolicy("production")).rejects.toMatchObject({ code: "unavailable" });
  // Another instance has written, which this one has not noticed yet.
  runtime.caughtUp = () => Promise.resolve(true);
  expect(await count()).toBe(0);
  runtime.snapshot = await createSnapshotLoader().load();
  expect(await count()).toBe(3);
});

describe("counters of the console (pages 1.1, 1.2)", () => {
  it("are zero in an empty database", async () => expect(await loadCounters(null, now)).toEqual(nothing));

  it("P16: name the caller, by an id of their own if they have one", async () => {
    const ann = {
      id: "oidc|https://a.example|ann",
      name: "Ann",
      isVerified: true,
      proof: "session",
      role: "editor",
    } as const;
    const { reader } = await loadCounters(ann, now);
    expect(reader).toEqual({ id: ann.id, name: "Ann", role: "editor" });
    expect((await loadCounters({ ...ann, id: "password" }, now)).reader?.id).toBeNull();
  });

  it("count pending apps by their latest versions, without blocked ones", async () => {
    await store(async (tx) => {
      await storeAppVersion(tx, "decided-before", "ACCEPTED");
      await storeAppVersion(tx, "decided-before", "PENDING");
      await storeAppVersion(tx, "decided", "PENDING");
      await storeAppVersion(tx, "decided", "ACCEPTED");
      await storeAppVersion(tx, "blocked", "PENDING");
      await storeFlags(tx, "blocked", { isBlacklisted: true });
      await storeAppVersion(tx, "new", "PENDING");
    });
    expect(await loadCounters(null, now)).toEqual({ ...nothing, pending_applications: 2 });
  });

  it("finding E2: count apps whose record could not be used, and tasks that failed", async () => {
    const job = { dueAt: new Date(), deliveries: 1 };
    await WebhookJobModel.insertMany([
      { ...job, _id: "waits", attempts: 0 },
      { ...job, _id: "unusable", attempts: 2, lastError: "name is missing" },
    ]);
    await DirectoryTaskModel.insertMany([
      { _id: "applications", state: "failed", lastError: "no answer" },
      { _id: "permissions", state: "succeeded" },
    ]);
    expect(await loadCounters(null, now)).toEqual({ ...nothing, unreadable_applications: 1, failed_tasks: 1 });
  });

  it("count staged records that are newer than production, deletions included", async () => {
    await store(async (tx) => {
      await storeGroup(tx, { name: "Untouched", status: "PRODUCTION" });
      await storeGroup(tx, { name: "Edited", status: "PRODUCTION" });
      await storeGroup(tx, { name: "Edited" });
      await storeGroup(tx, { name: "Edited" });
      await storeGroup(tx, { name: "Removed", status: "PRODUCTION" });
      await storeGroup(tx, { name: "Removed", isDeleted: true });
      await storeGroup(tx, { name: "Promoted" });
      await storeGroup(tx, { name: "Promoted", status: "PRODUCTION" });
      await storeMessage(tx, "Location", "PRODUCTION");
      await storeMessage(tx, "Speed", "STAGING");
      await storeVehicleData(tx, "scent", "STAGING");
      await storeModuleConfig(tx, "PRODUCTION");
    });
    expect(await loadCounters(null, now)).toEqual({
      ...nothing,
      modified_groups: 2,
      modified_messages: 1,
      modified_vehicle_data: 1,
      unpublished_changes: 4,
    });
    await store((tx) => storeModuleConfig(tx, "STAGING"));
    expect((await loadCounters(null, now)).is_module_config_modified).toBe(true);
  });

  it("L5: count apps whose newest granted version is in staging only", async () => {
    await store(async (tx) => {
      await storeAppVersion(tx, "first-time", "STAGING");
      await storeAppVersion(tx, "update", "ACCEPTED");
      await storeAppVersion(tx, "update", "STAGING");
      await storeAppVersion(tx, "accepted-since", "STAGING");
      await storeAppVersion(tx, "accepted-since", "ACCEPTED");
      await storeAppVersion(tx, "newer-undecided", "STAGING");
      await storeAppVersion(tx, "newer-undecided", "PENDING");
      await storeAppVersion(tx, "blocked", "STAGING");
      await storeFlags(tx, "blocked", { isBlacklisted: true });
      await storeAppVersion(tx, "pending", "PENDING");
    });
    expect(await loadCounters(null, now)).toMatchObject({ unpublished_changes: 3, modified_groups: 0 });
  });

  it("count permissions that no group in production contains", async () => {
    await store(async (tx) => {
      for (const name of ["Show", "Alert", "Speak"]) await storePermission(tx, name);
      for (const name of ["speed", "gps"]) await storePermission(tx, name, "PARAMETER", ["GetVehicleData"]);
      await storeGroup(tx, { name: "A", status: "PRODUCTION" });
      await storeGroup(tx, { name: "B", rpcs: [{ name: "Alert", levels: ["FULL"], parameters: ["gps"] }] });
    });
    expect(await loadCounters(null, now)).toMatchObject({ unmapped_rpcs: 2, unmapped_parameters: 2 });
  });

  it("read records once for each revision", async () => {
    await store((tx) => storeGroup(tx, { name: "A", status: "PRODUCTION" }));
    const read = vi.spyOn(PermissionModel, "find");
    await loadCounters(null, now);
    await loadCounters(null, now + 30_000);
    expect(read).toHaveBeenCalledOnce();
    await store((tx) => storeGroup(tx, { name: "A" }));
    expect((await loadCounters(null, now + 30_000)).modified_groups).toBe(1);
    expect(read).toHaveBeenCalledTimes(2);
    // A database that was put back may have the same revision.
    await loadCounters(null, now + 90_001);
    expect(read).toHaveBeenCalledTimes(3);
    read.mockRestore();
  });

  it("are given out by the route", async () =>
    expect((await fetchQuery(counters.GET)).data).toMatchObject({ pending_applications: 0 }));
});
