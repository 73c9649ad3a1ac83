import { beforeEach, describe, expect, it, vi } from "vitest";
import { log } from "@/lib/platform/log";
import { roles } from "@/lib/vocabulary/roles";
import { callUnread, closedRoutes, reaches } from "@/test/support/closed-routes";
import { asPerson, usePeople } from "@/test/support/people";
import { peopleSettings, withSession } from "@/test/support/sessions";
import { forgetSettings, useSettings } from "@/test/support/settings";

/* Every route with everybody whom a browser may call as (`people.md` section 5); programs: roles.test.ts. */

forgetSettings();
const foreign = [{ origin: "https://evil.example" }, { origin: "null" }, { "sec-fetch-site": "same-site" }] as const;
const isLetIn = (status: number) => status !== 401 && status !== 403;

beforeEach(() => {
  vi.spyOn(log, "info").mockReturnValue();
  vi.spyOn(log, "warn").mockReturnValue();
});

describe.each(closedRoutes)("P7: $name", (route) => {
  const { role: least } = route;
  const named = [403, expect.stringContaining(`needs the role ${least}`)];

  it.each(roles)("by the session of a person of role %s", async (role) => {
    useSettings(peopleSettings);
    const { status, text } = await callUnread(route, await withSession(role));
    if (reaches(role, least)) expect(isLetIn(status), `${status} ${text}`).toBe(true);
    else expect([status, text]).toEqual(named);
  });

  it("P3: refuses somebody who is signed in and has no role", async () => {
    useSettings(peopleSettings);
    const { status, text } = await callUnread(route, await withSession(null));
    expect([status, text]).toEqual(named);
  });

  it("api.md 0.6: a page of another origin changes nothing with an administrator's session", async () => {
    useSettings(peopleSettings);
    const { host, cookie } = await withSession("admin");
    for (const headers of [...foreign, {}]) {
      const { status, text } = await callUnread(route, { host, cookie, ...headers });
      if (route.method === "GET") expect(isLetIn(status)).toBe(true);
      else expect([status, text]).toEqual([403, expect.stringContaining("does not come from a page of this server")]);
    }
  });
});

/** How somebody is known is found out before a route is looked at: a route for each role and method proves it. */
const oneOfEach = closedRoutes.filter(
  ({ role, method }, at) => closedRoutes.findIndex((one) => one.role === role && one.method === method) === at,
);

describe.each(oneOfEach)("P7: $name, for $role", (route) => {
  const { role: least } = route;

  it.each(roles)("by a proxy that names a group of role %s", async (role) => {
    usePeople();
    const { status, text } = await callUnread(route, asPerson("Paula", role));
    if (reaches(role, least)) expect(isLetIn(status), `${status} ${text}`).toBe(true);
    else expect([status, text]).toEqual([403, expect.stringContaining(`needs the role ${least}`)]);
  });

  it("P4: refuses a session that is over, or sealed with another secret", async () => {
    useSettings(peopleSettings);
    const over = await withSession("admin", { endsAt: new Date(Date.now() - 1) });
    expect((await callUnread(route, over)).status).toBe(401);
    const held = await withSession("admin");
    expect(isLetIn((await callUnread(route, held)).status)).toBe(true);
    useSettings({ ...peopleSettings, SESSION_SECRET: "fedcba9876543210".repeat(2) });
    expect((await callUnread(route, held)).status).toBe(401);
  });
});
