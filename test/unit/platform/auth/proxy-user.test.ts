import { beforeEach, expect, it } from "vitest";
import { findPrincipal } from "@/lib/platform/auth/callers/find-principal";
import { requireRole } from "@/lib/platform/auth/callers/require-role";
import { believeClientHeaders } from "@/lib/platform/http/read/client-address";
import { forgetSettings, useSettings } from "@/test/support/settings";

/* A proxy in front that signs people in (`people.md` P6). Whose headers are dropped: test/unit/platform/http/verified-name.test.ts. */

forgetSettings();
const env = {
  ...{ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame", SESSION_SECRET: "0123456789abcdef".repeat(2) },
  ...{ TRUST_PROXY_ADDRESSES: "192.0.2.1", AUTH_USER_HEADER: "remote-user", AUTH_ROLES_HEADER: "remote-groups" },
  OIDC_ROLES: "viewer=staff;admin=operators",
};
beforeEach(() => {
  useSettings(env);
  believeClientHeaders();
});
const find = (headers: Record<string, string>) => findPrincipal(new Headers(headers));

it("P6: names the user, with the greatest role of the groups", async () => {
  expect(await find({ "remote-user": "Ada", "remote-groups": "staff; operators" })).toMatchObject({
    ...{ name: "Ada", isVerified: true, proof: "proxy", role: "admin" },
  });
  expect(await find({ "remote-user": "Bo", "remote-groups": "staff" })).toMatchObject({ role: "viewer" });
  expect(await find({ "remote-user": "Cy", "remote-groups": "others" })).toMatchObject({ name: "Cy", role: null });
});

it("finding A7: a blank is part of the name of a group", async () => {
  const roleOf = async (groups: string) => (await find({ "remote-user": "Ada", "remote-groups": groups }))?.role;
  expect(await roleOf("fans of operators")).toBeNull();
  expect(await roleOf("staff operators")).toBeNull();
  expect(await roleOf("fans of operators; staff")).toBe("viewer");
  useSettings({ ...env, OIDC_ROLES: "admin=fans of operators" });
  expect(await roleOf("fans of operators")).toBe("admin");
  expect(await roleOf("operators")).toBeNull();
});

/** A name as the header brings it. */
const inUtf8 = (name: string) => Buffer.from(name).toString("latin1");

it("W6: the same name in another case is the same person", async () => {
  const idOf = async (name: string) => (await find({ "remote-user": inUtf8(name), "remote-groups": "staff" }))?.id;
  expect(await idOf("Ada")).toBe("proxy|ada");
  expect(await idOf("ADA")).toBe("proxy|ada");
  expect(await idOf("Straße")).toBe(await idOf("STRASSE"));
  expect(await idOf("Jörg 字")).toBe("proxy|jörg 字");
});

it.each(["Jo\u0308rg", "A\u00adda", "Ada\u200b", "\uff21da", "\ufb01ona", "A\u034fda", "\u202eada", "x".repeat(81)])(
  "W6: a name that could stand for another one is refused with a sentence: %j",
  async (name) => {
    const headers = { "remote-user": inUtf8(name), "remote-groups": "operators" };
    await expect(find(headers)).rejects.toMatchObject({ status: 401, message: expect.stringContaining("remote-user") });
    await expect(
      requireRole({ method: "GET", headers: new Headers({ ...headers, host: "localhost:3000" }) }, "read"),
    ).rejects.toMatchObject({ status: 401, message: expect.stringMatching(/NFKC|at most 80/) });
  },
);

it("P6: believes nothing where the server entry has not looked at who sends it", async () => {
  believeClientHeaders(false);
  expect(await find({ "remote-user": "Ada", "remote-groups": "operators" })).toBeNull();
});

it.each([
  { "remote-user": "Ada, Eve", "remote-groups": "operators" },
  { "remote-user": "Ada", "remote-groups": "staff, operators" },
  { "remote-groups": "operators" },
  { "remote-user": "Ada" },
])("P6: a header that came twice, or is missing, lets nobody in: %j", async (headers) => {
  expect(await find(headers)).toBeNull();
});

it("P6: a change must come from a page of ours: the proxy lets in whoever the browser belongs to", async () => {
  const headers = { "remote-user": "Ada", "remote-groups": "operators", host: "localhost:3000" };
  const ask = (more: Record<string, string>) =>
    requireRole({ method: "POST", headers: new Headers({ ...headers, ...more }) }, "publish");
  await expect(ask({ origin: "https://evil.example" })).rejects.toMatchObject({ status: 403 });
  await expect(ask({})).rejects.toMatchObject({ status: 403 });
  expect((await ask({ origin: "http://localhost:3000" })).name).toBe("Ada");
});
