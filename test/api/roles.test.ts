import { beforeEach, expect, it } from "vitest";
import * as actionRoute from "@/app/api/v1/applications/action/route";
import * as applicationsRoute from "@/app/api/v1/applications/route";
import * as bulkPreviewRoute from "@/app/api/v1/ui/applications/bulk/preview/route";
import * as certificateRoute from "@/app/api/v1/applications/certificate/route";
import * as exchangeRoute from "@/app/api/v1/exchange/route";
import * as moduleRoute from "@/app/api/v1/module/route";
import type { RouteHandler } from "@/app/_api/api-route";
import { storeApp } from "@/test/support/applications";
import { useAuthority } from "@/test/support/authority";
import { withEmptyDatabase } from "@/test/support/database";
import { moduleConfigBody } from "@/test/support/module-config";
import { aRequest, readAnswer } from "@/test/support/requests";
import { store, storeGroup } from "@/test/support/stored-records";
import { withToken } from "@/test/support/tokens";
import type { Role } from "@/lib/vocabulary/roles";
import { withTestAuthority } from "@/test/support/with-authority";

/* What roles may within a route (`people.md` section 2); whom routes let in at all: test/unit/platform/auth/roles.test.ts. */

withEmptyDatabase();
const { authority, pair } = withTestAuthority();
beforeEach(() => {
  const secret = "0123456789abcdef".repeat(2);
  useAuthority(authority, { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame", SESSION_SECRET: secret });
});

async function call(handler: RouteHandler, role: Role, { path = "/", body }: { path?: string; body?: unknown } = {}) {
  return readAnswer(await handler(aRequest(path, { body, headers: withToken(role) })));
}
const below = ["viewer", "editor", "publisher"] as const;

it("P8: the module config's certificate and private key are absent for who may not read them", async () => {
  const keys = { certificate: pair.certificate, private_key: pair.privateKey };
  expect((await call(moduleRoute.POST, "admin", { body: { ...moduleConfigBody, ...keys } })).meta.code).toBe(200);
  const show = async (role: Role) =>
    (await call(moduleRoute.GET, role, { path: "/?environment=staging" })).data.module_configs[0];
  for (const role of below) {
    const config = await show(role);
    expect(config.exchange_after_x_days).toBe(moduleConfigBody.exchange_after_x_days);
    expect(config).not.toHaveProperty("private_key");
    expect(config).not.toHaveProperty("certificate");
  }
  expect((await show("admin")).private_key).toContain("PRIVATE KEY");
});

it("section 2: an editor changes the module config, and its certificate and key stay", async () => {
  const keys = { certificate: pair.certificate, private_key: pair.privateKey };
  await call(moduleRoute.POST, "admin", { body: { ...moduleConfigBody, ...keys } });
  const refused = await call(moduleRoute.POST, "editor", { body: { ...moduleConfigBody, ...keys } });
  expect(refused.meta).toMatchObject({ code: 403, message: expect.stringContaining("needs the role admin") });
  const body = { ...moduleConfigBody, exchange_after_x_days: 7 };
  expect((await call(moduleRoute.POST, "editor", { body })).meta.code).toBe(200);
  const { data } = await call(moduleRoute.GET, "admin", { path: "/?environment=staging" });
  expect(data.module_configs[0]).toMatchObject({ exchange_after_x_days: 7, ...keys });
});

it("P8: an app's certificate and private key are absent for who may not read them", async () => {
  const id = await storeApp("app-1");
  const options = { app_uuid: "app-1", clientKey: pair.privateKey, certificate: pair.certificate };
  expect((await call(certificateRoute.POST, "admin", { body: { options } })).meta.code).toBe(200);
  const show = async (role: Role) =>
    (await call(applicationsRoute.GET, role, { path: `/?id=${id}` })).data.applications[0];
  for (const role of below) {
    const application = await show(role);
    expect(application.uuid).toBe("app-1");
    expect(application).not.toHaveProperty("private_key");
    expect(application).not.toHaveProperty("certificate");
  }
  expect((await show("admin")).private_key).toContain("PRIVATE KEY");
});

it("section 2: an editor blocks an app and approves it for staging, and nothing else", async () => {
  const id = await storeApp("app-1");
  const decide = async (role: Role, body: Record<string, unknown>) =>
    (await call(actionRoute.POST, role, { body: { id, ...body } })).meta;
  expect((await decide("viewer", { approval_status: "PENDING", blacklist: true })).code).toBe(403);
  expect((await decide("editor", { approval_status: "STAGING" })).code).toBe(200);
  const refused = await decide("editor", { approval_status: "ACCEPTED" });
  expect(refused).toMatchObject({ code: 403, message: expect.stringContaining("needs the role publisher") });
  expect((await decide("publisher", { approval_status: "ACCEPTED" })).code).toBe(200);
  expect((await decide("editor", { approval_status: "ACCEPTED", blacklist: true })).code).toBe(200);
  expect((await decide("editor", { approval_status: "ACCEPTED", blacklist: false })).code).toBe(403);
  expect((await decide("editor", { approval_status: "PENDING", blacklist: true })).code).toBe(403);
});

it("section 2: a document stages and blocks apps for an editor, and grants, limits and flags for a publisher", async () => {
  await storeApp("app-1", "PENDING", { services: [] });
  await store((tx) => storeGroup(tx, { name: "Base-4" }));
  const document = async (changes: object, version: object = {}) => {
    const { data } = await call(exchangeRoute.GET, "viewer", { path: "/?environment=staging" });
    const pending = { version: 1, approval_status: "PENDING", encryption_required: false, ...version };
    return { ...data.document, apps: [{ uuid: "app-1", ...changes, versions: [pending] }] };
  };
  const send = async (role: Role, changes: object, version?: object) => {
    const body = { document: await document(changes, version), dry_run: true };
    return (await call(exchangeRoute.POST, role, { body })).meta;
  };
  expect((await send("editor", {}, { approval_status: "STAGING" })).code).toBe(200);
  expect((await send("editor", { is_blacklisted: true })).code).toBe(200);
  const forPublishers: [object, object?][] = [
    [{ allow_unknown_rpc_passthrough: true }],
    [{ is_blacklisted: true, is_administrator_app: true }],
    [{}, { approval_status: "LIMITED" }],
    [{}, { groups: ["Base-4"] }],
  ];
  for (const [changes, version] of forPublishers) {
    const refused = await send("editor", changes, version);
    expect(refused).toMatchObject({ code: 403, message: expect.stringContaining("needs the role publisher") });
    expect(await send("publisher", changes, version)).toMatchObject({ code: 200, message: null });
  }
});

it("P8: what an editor may not decide about many apps is left out before, with the reason", async () => {
  await storeApp("app-new");
  await storeApp("app-served", "ACCEPTED");
  const foretell = async (role: Role, decision: string) => {
    const body = { decision, uuids: ["app-new", "app-served"] };
    const { apps, excluded } = (await call(bulkPreviewRoute.POST, role, { body })).data;
    return [apps.map(({ uuid }: any) => uuid), excluded.map(({ uuid, reason }: any) => `${uuid}: ${reason}`)];
  };
  const sentence = "This decision needs the role publisher.";
  expect(await foretell("editor", "stage")).toEqual([["app-new"], [`app-served: ${sentence}`]]);
  expect(await foretell("editor", "block")).toEqual([["app-new", "app-served"], []]);
  expect(await foretell("editor", "auto_on")).toEqual([[], [`app-new: ${sentence}`, `app-served: ${sentence}`]]);
  expect(await foretell("publisher", "stage")).toEqual([["app-new", "app-served"], []]);
});
