import { afterAll, beforeAll, expect, it } from "vitest";
import exampleApps from "@/seed/example-apps.json";
import permissions from "@/seed/permissions.json";
import appServices from "@/seed/app-services.json";
import { type FaultyDirectory, startFaultyDirectory } from "@/test/support/faulty-directory/start";
import { callDirectory } from "@/test/support/example-directory";

let directory: FaultyDirectory;
beforeAll(async () => {
  directory = await startFaultyDirectory();
});
afterAll(() => directory.close());

const get = (path: string, init?: Parameters<typeof callDirectory>[2]) => callDirectory(directory, path, init);
const put = (body: unknown) =>
  get("application/approval/vendor", {
    method: "PUT",
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

it("serves the example apps in their newest version, without what only this server knows", async () => {
  const { status, body } = await get("application");
  expect(status).toBe(200);
  expect(body.meta).toEqual({ request_id: expect.any(String), code: 200, message: null });
  const newest = Object.values(Object.fromEntries(exampleApps.map(({ local: _, ...app }) => [app.uuid, app])));
  expect(body.data.applications).toEqual(newest);
});

it("finds apps by a list of uuids, and leaves unknown ones out", async () => {
  const [one, two] = [exampleApps[5]!.uuid, exampleApps[2]!.uuid];
  const { body } = await get(`application?uuid=${one},22222222-aaaa-4bbb-8ccc-000000000002,${two},${one}`);
  expect(body.data.applications.map(({ uuid }: { uuid: string }) => uuid)).toEqual([two, one]);
  expect((await get("application?uuid=")).body.data.applications).toEqual([]);
});

it.each(["limit=0", "limit=x", "limit=1.5", "limit=", "offset=-1", "offset=1e3", "include_deleted=yes", "limit=1001"])(
  "refuses the query %s",
  async (query) => {
    const { status, body } = await get(`application?${query}`);
    expect(status).toBe(400);
    expect(body.meta).toMatchObject({ code: 400, message: expect.stringContaining(query.split("=")[0]!) });
  },
);

it.each([
  ["no keys", {}],
  ["a wrong public key", { public_key: "wrong" }],
  ["a wrong secret key", { secret_key: "wrong" }],
  ["an empty secret key", { secret_key: "" }],
])("answers %s with 401", async (title, wrong) => {
  const right = { public_key: directory.endpoint.publicKey, secret_key: directory.endpoint.secretKey };
  const headers = title === "no keys" ? {} : { ...right, ...wrong };
  const response = await fetch(`${directory.endpoint.baseUrl}/api/v2/application`, { headers });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ meta: { code: 401 }, data: {} });
});

it("answers unknown addresses with 404 and wrong methods with 405, in the envelope", async () => {
  expect(await get("nothing")).toMatchObject({ status: 404, body: { meta: { code: 404 }, data: {} } });
  const wrong = await get("application", { method: "DELETE" });
  expect(wrong).toMatchObject({ status: 405, body: { meta: { code: 405 } } });
  expect(wrong.headers.get("allow")).toBe("GET");
});

it("serves permissions by category, hidden ones and parents when asked", async () => {
  const flat = async (query: string) =>
    (await get(`permission?${query}`)).body.data.permission_categories.flatMap(
      (category: { permissions: unknown[] }) => category.permissions,
    );
  const all = await flat("include_hidden=true&include_parents=true");
  const facts = all.map(({ key, type, function_id, parent_permissions }: any) => ({
    key,
    type,
    function_id,
    parents: parent_permissions.map((parent: { key: string }) => parent.key),
  }));
  const expected = permissions.map(({ key, type, function_id, parents }) => ({ key, type, function_id, parents }));
  expect(facts).toHaveLength(expected.length);
  expect(facts).toEqual(expect.arrayContaining(expected));

  const shown = await flat("");
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.length).toBeLessThan(all.length);
  expect(shown[0]).not.toHaveProperty("parent_permissions");
});

it("serves services, with permissions when asked", async () => {
  const { body } = await get("service?include_permissions=true");
  expect(body.data.services).toEqual(
    appServices.service_types.map(({ name, display_name, handled_rpcs }, at) => ({
      id: at + 1,
      name,
      display_name,
      permissions: handled_rpcs.map((rpc) => ({ key: rpc.name })),
    })),
  );
  expect((await get("service")).body.data.services[0]).not.toHaveProperty("permissions");
});

it("serves categories, countries and locales", async () => {
  expect((await get("category")).body.data).toEqual({ categories: appServices.categories });
  expect((await get("country")).body.data.countries).toContainEqual({ iso: "DE", name: "Germany" });
  expect((await get("locale")).body.data.locales).toContainEqual(expect.objectContaining({ code: "en-us" }));
});

it("keeps the latest decision about each version", async () => {
  const { uuid, version_id } = exampleApps[0]!;
  const element = { uuid, version_id, approval_status: "ACCEPTED", notes: null, blacklist: false };
  expect((await put({ applications: [element] })).status).toBe(200);
  await put({ applications: [{ ...element, approval_status: "LIMITED", notes: "No." }] });
  const latest = { uuid, version: version_id, status: "LIMITED", notes: "No.", blacklist: false, times: 2 };
  expect(directory.approvals.find(version_id)).toEqual(latest);
  const older = exampleApps.find(({ version_id }) => version_id === 3920)!;
  expect((await put({ applications: [{ ...element, uuid: older.uuid, version_id: 3920 }] })).status).toBe(200);
});

it.each([
  ["an unknown version", { version_id: 999 }],
  ["a version of another app", { version_id: exampleApps[1]!.version_id }],
  ["a version that is no number", { version_id: "4107" }],
  ["a status it does not document", { approval_status: "PENDING" }],
])("refuses %s with 400 and stores nothing of the body", async (_title, wrong) => {
  const right = { version_id: exampleApps[3]!.version_id, approval_status: "ACCEPTED", notes: null };
  const { uuid, version_id } = exampleApps[0]!;
  const { status, body } = await put({ applications: [right, { ...right, uuid, version_id, ...wrong }] });
  expect(status).toBe(400);
  expect(body.meta.message).toEqual(expect.any(String));
  expect(directory.approvals.find(right.version_id)).toBeNull();
});

it.each(["", "{", "[]", "{}", '{"applications":[]}'])("refuses the body %j with 400", async (body) => {
  expect((await put(body)).status).toBe(400);
});

it("has other keys at every start, and those that are given", async () => {
  const [one, other] = [await startFaultyDirectory(), await startFaultyDirectory({ publicKey: "p", secretKey: "s" })];
  expect(one.endpoint.publicKey).toMatch(/^[\da-f]{48}$/);
  expect(one.endpoint.secretKey).not.toBe(one.endpoint.publicKey);
  expect(other.endpoint).toMatchObject({ publicKey: "p", secretKey: "s" });
  expect((await callDirectory(other, "category")).status).toBe(200);
  await expect(startFaultyDirectory({ port: Number(new URL(one.endpoint.baseUrl).port) })).rejects.toThrow(
    /cannot listen on port \d+: another process has it/,
  );
  await one.close();
  await other.close();
});

it("closes while calls hang, and is gone then", async () => {
  const closing = await startFaultyDirectory();
  closing.faults.set({ kind: "hang" });
  const call = callDirectory(closing, "category").catch((error: unknown) => error);
  await expect.poll(() => closing.faults.hanging).toBe(1);
  await closing.close();
  expect(await call).toBeInstanceOf(Error);
  await expect(callDirectory(closing, "category")).rejects.toThrow("fetch failed");
});

it("refuses a body that is too large, and goes on", async () => {
  expect((await put(" ".repeat(9 * 2 ** 20))).status).toBe(413);
  expect((await get("category")).status).toBe(200);
});

it("says what is wrong when it cannot read its files, and goes on", async () => {
  const lost = await startFaultyDirectory({ root: "/nowhere" });
  const body = { meta: { code: 500, message: expect.stringContaining("/nowhere/seed/") }, data: {} };
  for (const path of ["application", "category", "permission"])
    expect(await callDirectory(lost, path)).toMatchObject({ status: 500, body });
  expect((await fetch(lost.endpoint.rpcSpecUrl)).status).toBe(500);
  expect((await callDirectory(lost, "country")).status).toBe(200);
  await lost.close();
});
