import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { AppIndex } from "@/lib/policy/snapshot/app-index";
import {
  confirmSnapshotFile,
  findSavedOrigin,
  loadSnapshotFile,
  saveSnapshotFile,
  type SavedSnapshot,
} from "@/lib/policy/saved/snapshot-file";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import {
  aGroup,
  aMessage,
  aModuleConfig,
  anApp,
  anAppVersion,
  anRpcSpec,
  aPermission,
  aSnapshot,
  aVehicleDataRecord,
  inBothViews,
} from "@/test/support/builders";
import { temporaryFolder } from "@/test/support/temporary-folder";

let dataDir = "";
beforeEach(() => {
  dataDir = temporaryFolder();
});

const path = () => join(dataDir, "policy-snapshot.json");
/** Each byte of the file is one character. */
const readText = () => readFile(path(), "latin1");
const writeText = (text: string) => writeFile(path(), text, "latin1");

const oldHeader = '{"format":"policy-snapshot","version":4,"revision":17,"databaseId":"db-1"}';

/** The file with other content and the checksum of that. */
function sealed(text: string, change: (content: string) => string): string {
  const content = change(text.slice(0, text.lastIndexOf('{"sha256"')));
  const sha256 = createHash("sha256").update(content, "latin1").digest("hex");
  return `${content}${JSON.stringify({ sha256 })}\n${text.slice(text.lastIndexOf('{"confirmedAt"'))}`;
}

function indexOf(apps: readonly SnapshotApp[]): AppIndex {
  const editor = new AppIndex().edit();
  for (const app of apps) editor.put(app);
  return editor.finish();
}

function manyApps(count: number): SnapshotApp[] {
  return Array.from({ length: count }, (_, index) => {
    const shortUuid = `Short${index}`;
    const old = anAppVersion({
      id: 2 * index + 1,
      shortUuid,
      approvalStatus: index % 3 === 0 ? "PENDING" : "ACCEPTED",
    });
    const young = anAppVersion({ id: 2 * index + 2, shortUuid, approvalStatus: "STAGING" });
    const versions = index % 3 === 2 ? [old, young] : [old];
    return anApp({ uuid: `App-${index}`, isBlacklisted: index % 5 === 0, versions });
  });
}

const whole = (apps = manyApps(120)): PolicySnapshot =>
  aSnapshot({
    revision: 17,
    groups: { staging: [aGroup({ id: 3, name: "New" })], production: [aGroup({ id: 1, name: "Base" })] },
    messages: inBothViews(aMessage()),
    moduleConfigs: inBothViews(aModuleConfig({ certificate: "C", privateKey: "K" })),
    vehicleData: inBothViews(aVehicleDataRecord()),
    permissions: [aPermission()],
    rpcSpec: anRpcSpec(),
    apps: indexOf(apps),
  });

const contentOf = (snapshot: SavedSnapshot | null, uuids: readonly string[]) => ({
  ...snapshot,
  origin: undefined,
  containers: undefined,
  apps: uuids.map((uuid) => snapshot?.apps.byUuid(uuid.toLowerCase())),
  size: snapshot?.apps.size,
});

describe("the snapshot kept on disk (rule K6)", () => {
  it("comes back as it was", async () => {
    const snapshot = whole();
    await saveSnapshotFile(dataDir, snapshot);
    const back = await loadSnapshotFile(dataDir);
    const uuids = manyApps(120).map(({ uuid }) => uuid);
    expect(contentOf(back, uuids)).toEqual(contentOf(snapshot, uuids));
    expect(back?.apps.byShortId("short7").map(({ uuid }) => uuid)).toEqual(["App-7"]);
  });

  it("keeps a record of both views, and a version that is both accepted and staged, one object", async () => {
    await saveSnapshotFile(dataDir, whole());
    const back = await loadSnapshotFile(dataDir);
    expect(back?.messages.staging[0]).toBe(back?.messages.production[0]);
    const app = back?.apps.byUuid("app-1");
    expect(app?.accepted).not.toBeNull();
    expect(app?.staged).toBe(app?.accepted);
  });

  it("can be saved again as it was read", async () => {
    await saveSnapshotFile(dataDir, whole());
    const back = await loadSnapshotFile(dataDir);
    if (back === null) throw new Error("nothing came back");
    await saveSnapshotFile(dataDir, back);
    const uuids = manyApps(120).map(({ uuid }) => uuid);
    expect(contentOf(await loadSnapshotFile(dataDir), uuids)).toEqual(contentOf(back, uuids));
  });

  it("takes the place of an older file and leaves no draft behind, readable by its owner alone", async () => {
    await saveSnapshotFile(dataDir, whole([]));
    await saveSnapshotFile(dataDir, { ...whole([]), revision: 18 });
    expect((await readdir(dataDir)).toSorted()).toEqual(["policy-snapshot.json", "policy-snapshot.previous.json"]);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect((await loadSnapshotFile(dataDir))?.revision).toBe(18);
  });

  it("keeps the old file when writing fails", async () => {
    await saveSnapshotFile(dataDir, whole([]));
    const apps = { byUuid: () => undefined, byShortId: () => [], size: 0 };
    await expect(saveSnapshotFile(dataDir, { ...whole([]), revision: 18, apps })).rejects.toThrow(TypeError);
    expect(await readdir(dataDir)).toEqual(["policy-snapshot.json"]);
    expect((await loadSnapshotFile(dataDir))?.revision).toBe(17);
  });

  it("makes the folder", async () => {
    const folder = join(dataDir, "a", "b");
    await saveSnapshotFile(folder, whole([]));
    expect(await loadSnapshotFile(folder)).not.toBeNull();
  });
});

describe("finding G4: where the snapshot comes from (K7)", () => {
  const at = Date.UTC(2026, 1, 2, 3, 4, 5, 678);
  const here = { databaseId: "db-1", confirmedAt: at };

  it("is kept with it, and the time of its last confirmation is written over in place", async () => {
    await saveSnapshotFile(dataDir, whole(), here);
    expect((await loadSnapshotFile(dataDir))?.origin).toEqual(here);
    const before = (await stat(path())).size;
    await confirmSnapshotFile(dataDir, at + 60_000);
    expect((await stat(path())).size).toBe(before);
    const back = await loadSnapshotFile(dataDir);
    expect(back?.origin).toEqual({ ...here, confirmedAt: at + 60_000 });
    expect(back?.revision).toBe(17);
  });

  it("a damaged time costs the time alone", async () => {
    await saveSnapshotFile(dataDir, whole([]), here);
    await writeText((await readText()).replace(/"20\d\d-/, '"@@@@-'));
    expect((await loadSnapshotFile(dataDir))?.origin).toEqual({ databaseId: "db-1", confirmedAt: null });
    expect((await loadSnapshotFile(dataDir))?.revision).toBe(17);
  });

  it("N15a: is known of a file that is damaged or of another version as well, and of none where there is none", async () => {
    expect(await findSavedOrigin(dataDir)).toBeNull();
    await saveSnapshotFile(dataDir, whole(), here);
    const text = await readText();
    for (const damaged of [text, text.replace('"version":', '"version":9'), text.replace("groups", "grouqs")]) {
      await writeText(damaged);
      expect(await findSavedOrigin(dataDir)).toEqual({ ...here, revision: 17 });
    }
    expect(await loadSnapshotFile(dataDir, () => undefined)).toBeNull();
    await writeText(text.slice(0, 10));
    expect(await findSavedOrigin(dataDir)).toBeNull();
  });

  it("nothing is confirmed in a file that is no snapshot", async () => {
    await expect(confirmSnapshotFile(dataDir, at)).rejects.toThrow();
    await writeFile(path(), "x".repeat(100));
    await expect(confirmSnapshotFile(dataDir, at)).rejects.toThrow("not the end of a snapshot");
    expect(await readFile(path(), "utf8")).toBe("x".repeat(100));
  });

  it("the generation before serves when the newer one is damaged", async () => {
    await saveSnapshotFile(dataDir, whole([]), here);
    await saveSnapshotFile(dataDir, { ...whole([]), revision: 18 }, here);
    await writeFile(path(), "damaged");
    const reasons: string[] = [];
    expect((await loadSnapshotFile(dataDir, (reason) => reasons.push(reason)))?.revision).toBe(17);
    expect(reasons).toHaveLength(1);
    await rm(path());
    expect((await loadSnapshotFile(dataDir))?.revision).toBe(17);
  });

  it("nothing of another database stays behind", async () => {
    for (const revision of [16, 17]) await saveSnapshotFile(dataDir, { ...whole([]), revision }, here);
    await saveSnapshotFile(dataDir, whole([]), { ...here, databaseId: "db-2" });
    expect(await readdir(dataDir)).toEqual(["policy-snapshot.json"]);
    expect((await loadSnapshotFile(dataDir))?.origin.databaseId).toBe("db-2");
  });
});

describe("a file that cannot be used", () => {
  const warnings: string[] = [];
  const load = () => loadSnapshotFile(dataDir, (reason) => warnings.push(reason));
  beforeEach(() => {
    warnings.length = 0;
  });

  it("is silently absent at the first start", async () => {
    expect(await load()).toBeNull();
    expect(warnings).toEqual([]);
  });

  it.each([
    ["is empty", () => ""],
    ["is no JSON", () => "not a snapshot\n"],
    ["is cut off in its last lines", (text: string) => text.slice(0, text.length - 100)],
    ["is cut off in its first line", (text: string) => text.slice(0, 50)],
    ["is cut off in half", (text: string) => text.slice(0, text.length / 2)],
    ["is cut off before its last line", (text: string) => text.slice(0, text.lastIndexOf("{"))],
    ["lacks some bytes", (text: string) => text.slice(0, 400) + text.slice(500)],
    ["has a changed byte", (text: string) => text.replace("Base", "Bass")],
  ])("is ignored with a warning when it %s", async (_, damage) => {
    await saveSnapshotFile(dataDir, whole());
    await writeText(damage(await readText()));
    expect(await load()).toBeNull();
    expect(warnings).toHaveLength(1);
  });

  it.each([
    ["of another version", (content: string) => content.replace(/"version":\d+/, '"version":9')],
    ["of the version that wrote lines of JSON", () => `${oldHeader}\n{"part":"permissions","value":[]}\n`],
  ])("is ignored with a warning when it is %s, and its database is known", async (_, change) => {
    await saveSnapshotFile(dataDir, whole(), { databaseId: "db-1", confirmedAt: 5 });
    await writeText(sealed(await readText(), change));
    expect(await load()).toBeNull();
    expect(warnings).toEqual(["it is of another version"]);
    expect(await findSavedOrigin(dataDir)).toEqual({ databaseId: "db-1", confirmedAt: 5, revision: 17 });
  });

  it("is ignored wherever a bit is flipped", async () => {
    await saveSnapshotFile(dataDir, whole(manyApps(3)));
    const bytes = await readFile(path());
    const places = Array.from({ length: Math.floor(bytes.lastIndexOf('{"confirmedAt"') / 37) }, (_, at) => 37 * at);
    for (const place of places) {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8(bytes.readUInt8(place) ^ 1, place);
      await writeFile(path(), damaged);
      expect([place, await load()]).toEqual([place, null]);
    }
    expect(warnings).toHaveLength(places.length);
  });

  it("is ignored with a warning when it cannot be read", async () => {
    await mkdir(path());
    expect(await load()).toBeNull();
    expect(warnings).toHaveLength(1);
  });
});
