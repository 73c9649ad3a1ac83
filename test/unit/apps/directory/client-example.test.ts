import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createDirectoryClient, type DirectoryClient } from "@/lib/apps/directory/client/client";
import { type FaultyDirectory, startFaultyDirectory } from "@/test/support/faulty-directory/start";
import type { FaultKind } from "@/test/support/faulty-directory/faults";
import { directoryApplication } from "@/lib/apps/directory/answers/schema";

let directory: FaultyDirectory;
let client: DirectoryClient;
beforeAll(async () => {
  directory = await startFaultyDirectory({ apps: 220 });
  client = createDirectoryClient(directory.endpoint, { repeatAfterMs: [1, 1] });
});
afterEach(() => {
  directory.faults.clear();
  directory.faults.release("drop");
});
afterAll(() => directory.close());

async function readAll(of: DirectoryClient = client): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const page of of.applicationPages()) found.push(...page);
  return found;
}

describe("the example directory, as the client sees it", () => {
  it("3.1: gives all apps, deleted and blacklisted ones included, in order", async () => {
    const [first, second] = [...directory.apps.all()];
    directory.apps.delete(first?.uuid ?? "");
    directory.apps.blacklist(second?.uuid ?? "");
    const found = await readAll();
    expect(found).toEqual(JSON.parse(JSON.stringify([...directory.apps.all()])));
    expect(found.filter((app) => directoryApplication.safeParse(app).success)).toHaveLength(220);
    const some = await client.applications([second?.uuid ?? "", "unknown", first?.uuid ?? ""]);
    expect(some).toMatchObject([{ deleted_ts: expect.any(String) }, { blacklisted_ts: expect.any(String) }]);
  });

  it("3.3 to 3.6: gives its lists", async () => {
    expect((await client.categories()).length).toBeGreaterThan(5);
    expect((await client.services()).length).toBeGreaterThan(2);
    expect((await client.countries()).length).toBeGreaterThan(5);
    expect((await client.locales()).length).toBeGreaterThan(5);
    const permissions = await client.permissions();
    expect(permissions.length).toBeGreaterThan(100);
    expect(permissions.find(({ key }) => key === "gps")?.parents).toContain("GetVehicleData");
  });

  it("3.2: takes an approval", async () => {
    const [, , app] = [...directory.apps.all()];
    const element = { uuid: app?.uuid ?? "", version_id: Number(app?.version_id), approval_status: "ACCEPTED" };
    await client.sendApproval({ ...element, notes: null, blacklist: false });
    const unknown = client.sendApproval({ ...element, version_id: 1e9, notes: null, blacklist: false });
    await expect(unknown).rejects.toMatchObject({ name: "DirectoryRefused", status: 400 });
  });

  it("H4: refuses wrong keys", async () => {
    const stranger = createDirectoryClient({ ...directory.endpoint, secretKey: "wrong" }, { repeatAfterMs: [] });
    await expect(stranger.categories()).rejects.toMatchObject({ name: "DirectoryRefused", status: 401 });
  });
});

describe("H1, H3, H5: a fault is a failure, and over when the fault is", () => {
  it.each<[string, FaultKind]>([
    ["a server error", { kind: "status" }],
    ["a busy server", { kind: "status", status: 503 }],
    ["a web page", { kind: "garbage" }],
    ["half of the JSON", { kind: "truncated" }],
    ["a reset connection", { kind: "reset" }],
    ["a connection that ends in the body", { kind: "cut" }],
    ["no data", { kind: "shape", shape: "no-data" }],
    ["objects for lists", { kind: "shape", shape: "object-for-list" }],
    ["null", { kind: "shape", shape: "null" }],
    ["a text", { kind: "shape", shape: "text" }],
    ["too long a body", { kind: "huge" }],
  ])("%s", async (_, fault) => {
    for (const call of [() => client.permissions(), () => client.categories(), () => readAll()]) {
      const takeBack = directory.faults.set(fault);
      await expect(call()).rejects.toMatchObject({ name: "DirectoryFailed" });
      takeBack();
      // A single failure is made up for by a repetition.
      directory.faults.set({ ...fault, times: 1 });
      expect(await call()).not.toHaveLength(0);
    }
  });

  it.each<[string, FaultKind]>([
    ["no answer", { kind: "hang" }],
    ["an answer that is late", { kind: "slow", ms: 10_000 }],
    ["a body that stalls", { kind: "stall", ms: 10_000 }],
  ])("%s", async (_, fault) => {
    directory.faults.set(fault);
    const impatient = createDirectoryClient(directory.endpoint, { deadlineMs: 200, repeatAfterMs: [] });
    for (const call of [() => impatient.permissions(), () => impatient.categories(), () => readAll(impatient)]) {
      await expect(call()).rejects.toThrow("did not answer within 0.2 s");
    }
  });

  it("wrong elements: a list without anything usable is a failure", async () => {
    directory.faults.set({ kind: "shape", shape: "wrong-elements" });
    await expect(client.permissions()).rejects.toMatchObject({ name: "DirectoryFailed" });
    await expect(client.categories()).rejects.toMatchObject({ name: "DirectoryFailed" });
  });

  it("3.1: a repeated page ends the reading", async () => {
    directory.faults.set({ kind: "repeat" });
    await expect(readAll()).rejects.toThrow("the same page twice");
  });
});
