import { afterEach, describe, expect, it } from "vitest";
import exampleApps from "@/seed/example-apps.json";
import permissions from "@/seed/permissions.json";
import { type ExampleDirectory, startExampleDirectory } from "@/example-directory/directory";
import { createLargeCatalog } from "@/bench/example-directory/generator";
import { seededRandom } from "@/bench/example-directory/random";
import { makeRandomChange } from "@/bench/example-directory/random-change";
import { directoryApplication } from "@/lib/apps/directory/answers/schema";
import { callDirectory } from "@/test/support/example-directory";

const running: ExampleDirectory[] = [];
const start = async ({ apps, seed }: { apps?: number; seed?: number } = {}) => {
  const directory = await startExampleDirectory(apps === undefined ? {} : { catalog: createLargeCatalog(apps, seed) });
  running.push(directory);
  return directory;
};
afterEach(async () => {
  for (const directory of running.splice(0)) await directory.close();
});
const applications = async (directory: ExampleDirectory, query = "limit=1000") =>
  (await callDirectory(directory, `application?${query}`)).body.data.applications;
const both = "include_deleted=true&include_blacklisted=true";
const first = exampleApps[0]!.uuid;

describe("made-up apps", () => {
  it("fill up to the number asked for, all of them usable and different", async () => {
    const directory = await start({ apps: 2_000 });
    const apps = [...directory.apps.all()].map((record) => directoryApplication.parse(record));
    expect(directory.apps.count).toBe(2_000);
    for (const member of ["uuid", "short_uuid", "version_id", "name"] as const)
      expect(new Set(apps.map((app) => app[member])).size, member).toBe(2_000);
    for (const { uuid } of apps)
      expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    const used = new Set(apps.flatMap((app) => app.permissions.map(({ key }) => key)));
    expect(used).toEqual(new Set(permissions.map(({ key }) => key)));
  });

  it("are the same for the same seed, and others for another", async () => {
    const [one, same] = [await start({ apps: 60 }), await start({ apps: 60 })];
    const other = await start({ apps: 60, seed: 2 });
    expect([...same.apps.all()]).toEqual([...one.apps.all()]);
    expect(other.apps.at(50).uuid).not.toBe(one.apps.at(50).uuid);
    expect(other.apps.at(50)["permissions"]).not.toEqual(one.apps.at(50)["permissions"]);
  });

  it("can be fewer than the example apps", async () => {
    const directory = await start({ apps: 3 });
    expect(await applications(directory)).toHaveLength(3);
    expect(directory.apps.app(exampleApps[4]!.uuid)).toBeNull();
  });

  it("are found by uuid, and only within the number asked for", async () => {
    const [few, many] = [await start({ apps: 100 }), await start({ apps: 101 })];
    const record = many.apps.at(100);
    expect(await applications(many, `uuid=${record.uuid}`)).toEqual([record]);
    expect(await applications(few, `uuid=${record.uuid}`)).toEqual([]);
  });
});

describe("changes", () => {
  it("give an app a new version in its old place", async () => {
    const directory = await start();
    const before = directory.apps.app(first)!;
    const after = directory.apps.change(first, { name: "Roadtune Two" });
    const { version_id, updated_ts } = after;
    expect(after).toEqual({ ...before, name: "Roadtune Two", version_id, updated_ts });
    expect(after.version_id).not.toBe(before.version_id);
    expect(Date.parse(after.updated_ts)).toBeGreaterThan(Date.parse(before.updated_ts));
    expect((await applications(directory))[0]).toEqual(after);
    expect(directory.apps.app(first)).toEqual(after);
    expect(directory.apps.ownerOf(before.version_id!)).toBe(first);
    expect(directory.apps.ownerOf(after.version_id!)).toBe(first);
  });

  it("keep a version that is given", async () => {
    const directory = await start();
    expect(directory.apps.change(first, { version_id: 4107, name: "Same version" }).version_id).toBe(4107);
    expect(directory.apps.change(first, { version_id: null }).version_id).toBeNull();
  });

  it("add an app behind all others", async () => {
    const directory = await start();
    const added = directory.apps.add({ name: "Newcomer" });
    expect((await applications(directory)).at(-1)).toEqual(added);
    expect(directoryApplication.parse(added)).toMatchObject({ name: "Newcomer", deleted_ts: null });
    expect(() => directory.apps.add({ uuid: added.uuid })).toThrow("exists already");
  });

  it("show deleted apps only when asked for them", async () => {
    const directory = await start({ apps: 5 });
    const { deleted_ts, version_id } = directory.apps.delete(first);
    expect(deleted_ts).toEqual(expect.any(String));
    expect(version_id).toBe(exampleApps[0]!.version_id);
    expect(await applications(directory)).toHaveLength(4);
    expect(await applications(directory, `uuid=${first}&include_blacklisted=true`)).toEqual([]);
    expect(await applications(directory, `uuid=${first}&include_deleted=true`)).toEqual([directory.apps.app(first)]);
  });

  it("show blacklisted apps only when asked for them, until they are allowed again", async () => {
    const directory = await start({ apps: 5 });
    directory.apps.blacklist(first);
    expect(await applications(directory, "include_deleted=true")).toHaveLength(4);
    const [shown] = await applications(directory, `uuid=${first}&${both}`);
    expect(shown.blacklisted_ts).toEqual(expect.any(String));
    directory.apps.unblacklist(first);
    expect((await applications(directory))[0]).toMatchObject({ uuid: first, blacklisted_ts: null });
  });

  it("leave no gap in pages when apps are hidden", async () => {
    const directory = await start({ apps: 60 });
    for (const at of [0, 7, 20]) directory.apps.delete(directory.apps.at(at).uuid);
    const visible = [...directory.apps.all()].filter(({ deleted_ts }) => deleted_ts === null);
    const pages = [await applications(directory, "limit=30"), await applications(directory, "limit=30&offset=30")];
    expect(pages.map(({ length }) => length)).toEqual([30, 27]);
    expect(pages.flat()).toEqual(visible);
  });

  it("are refused for apps that never were", async () => {
    const { apps } = await start();
    const missing = "22222222-aaaa-4bbb-8ccc-000000000002";
    for (const change of ["change", "delete", "blacklist", "unblacklist"] as const)
      expect(() => apps[change](missing)).toThrow("there is no app");
  });
});

describe("random changes", () => {
  it("do everything that can happen to an app, the same for the same random numbers", async () => {
    const histories = [];
    for (const _ of [1, 2]) {
      const { apps } = await start({ apps: 40 });
      const history: string[] = [];
      const random = seededRandom(7);
      apps.onChange(({ action, record }) => history.push(`${action} ${record.blacklisted_ts === null}`));
      for (let step = 0; step < 1_000; step++) makeRandomChange(apps, random);
      histories.push(history);
      expect(apps.count).toBeGreaterThan(40);
      for (const record of apps.all()) directoryApplication.parse(record);
    }
    expect(histories[1]).toEqual(histories[0]);
    expect(histories[0]).toHaveLength(1_000);
    const kinds = ["UPSERT true", "UPSERT false", "DELETE true", "DELETE false", "BLACKLIST false"];
    expect(new Set(histories[0])).toEqual(new Set(kinds));
  });

  it("go on when every app is deleted", async () => {
    const { apps } = await start({ apps: 1 });
    apps.delete(apps.at(0).uuid);
    makeRandomChange(apps, () => 0.9);
    expect(apps.count).toBe(2);
  });
});
