import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contextOf, requestOf, withApi } from "@/test/support/api";
import {
  anything,
  findInjections,
  hostileTexts,
  hostileValues,
  injectionsIn,
  mark,
  parametersOf,
  placesOf,
  replaceAt,
} from "@/test/support/hostile";
import { daily, runs, shareOf } from "@/test/support/extent";
import { expectLinear, longTexts } from "@/test/support/long-texts";
import { aRequest } from "@/test/support/requests";
import {
  apiMethods,
  askingOthers,
  findRoute,
  needingServer,
  type RouteMethod,
  type ValidCall,
} from "@/test/support/route-calls";

/* No hostile value leads to a 500 or reaches the database as an operator (`api.md` 0.2, 0.3, 0.5). */

const api = withApi();
const routes = apiMethods.filter(({ name }) => !askingOthers.has(name));
const reading = routes.filter(({ facts }) => facts.input.query);
const taking = routes.filter(({ facts, method }) => facts.input.body && method !== "GET");
const withBody = apiMethods.filter(({ method, name }) => method !== "GET" && !needingServer.has(name));

async function statusOf(route: RouteMethod, request: Request, params = firstOf(route).params): Promise<number> {
  const response = await route.handler(request, contextOf({ ...(params && { params }) }));
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  const { meta } = await response.json();
  expect(meta.code).toBe(response.status);
  expect(response.status, `${route.name}: ${meta.message}`).toBeLessThan(500);
  return response.status;
}
const firstOf = (route: RouteMethod): ValidCall => api.calls()[route.name]?.[0] ?? {};
const callWith = (route: RouteMethod, body: unknown) =>
  statusOf(route, requestOf(route, { ...firstOf(route), body: body as Record<string, unknown> }));
const ask = (route: RouteMethod, query: string) => statusOf(route, requestOf(route, { ...firstOf(route), query }));

const deepBodies = [
  `{"id":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
  `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
];
const longBodies = [`{"a":"${"x".repeat(2_000_000)}"}`];

describe("0.2: bodies", () => {
  it.each(taking)("$name: a hostile value in every place", async (route) => {
    const [call = {}] = api.calls()[route.name] ?? [];
    const injections = await findInjections(async () => {
      for (const [index, place] of placesOf(route, call).entries()) {
        for (const value of shareOf(hostileValues, index))
          await callWith(route, replaceAt(call.body, place, value) ?? null);
      }
    });
    expect(injections).toEqual([]);
  });

  daily.each(taking)("$name: bodies that nobody thought of", async (route) => {
    const [call = {}] = api.calls()[route.name] ?? [];
    const place = fc.constantFrom(...placesOf(route, call));
    const injections = await findInjections(() =>
      fc.assert(
        fc.asyncProperty(place, anything, async (path, value) => {
          await callWith(route, replaceAt(call.body, path, value) ?? null);
        }),
        { numRuns: runs(40) },
      ),
    );
    expect(injections).toEqual([]);
  });

  it.each(withBody)("$name: bodies that cannot be read", async (route) => {
    const place = withBody.indexOf(route);
    const isVehicle = route.path.endsWith("/policy");
    const send = (body: string | Uint8Array, type = "application/json") => {
      const headers: Record<string, string> = { "Content-Type": type, public_key: "directory-key" };
      return statusOf(route, aRequest(route.path, { method: route.method, body, headers }));
    };
    for (const deep of shareOf(deepBodies, place)) expect(await send(deep)).toBe(400);
    for (const long of shareOf(longBodies, place)) expect(await send(long)).toBe(413);
    expect(await send(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]))).toBe(400);
    for (const text of ["{", "nul", "[1]", '"a"', "1", "\u0000", "{}{}", '{"a":1,}'])
      expect(await send(text)).toBe(400);
    for (const type of ["text/plain", "text/xml", "multipart/form-data; boundary=x", "nonsense", "application/json2"]) {
      expect([type, await send("{}", type)]).toEqual([type, isVehicle ? expect.any(Number) : 415]);
    }
    expect(await send(`a${"[b]".repeat(5_000)}=1`, "application/x-www-form-urlencoded")).toBeLessThan(500);
    expect(await send("a[__proto__][b]=1&__proto__[c]=2", "application/x-www-form-urlencoded")).toBeLessThan(500);
    for (const key of ["__proto__", "constructor", "prototype"]) await send(`{"${key}":{"polluted":"${mark}"}}`);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("0.3: queries", () => {
  it.each(reading)("$name: a hostile value in every parameter", async (route) => {
    const injections = await findInjections(async () => {
      for (const [index, name] of parametersOf(route).entries()) {
        for (const text of shareOf(hostileTexts, index)) await ask(route, `${name}=${text}`);
        for (const form of ["[]", "[$ne]", "[$gt]", "%00", ".a"]) await ask(route, `${name}${form}=${mark}`);
        await ask(route, `${name}=&${name}=${mark}`);
        await ask(route, name);
      }
    });
    expect(injections).toEqual([]);
  });

  daily.each(reading)("$name: queries that nobody thought of", async (route) => {
    const name = fc.oneof(fc.constantFrom(...parametersOf(route)), fc.string());
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...hostileTexts));
    const injections = await findInjections(() =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(name, text), { maxLength: 4 }), async (pairs) => {
          await ask(route, new URLSearchParams(pairs).toString());
        }),
        { numRuns: runs(40) },
      ),
    );
    expect(injections).toEqual([]);
  });
});

describe("paths", () => {
  const inPaths = routes.filter(({ path }) => path.includes("{"));
  // The tests of bodies have stored groups with some of these names.
  const neverStored = [...hostileTexts.filter((text) => !hostileValues.includes(text)), "", "99999999998"];
  it("there are some with names and numbers in them", () => expect(inPaths.length).toBeGreaterThan(7));

  it.each(inPaths)("$name: what no such thing is called", async (route) => {
    const call = firstOf(route);
    const injections = await findInjections(async () => {
      for (const name of Object.keys(call.params ?? {})) {
        for (const text of [
          ...neverStored,
          "0",
          "-1",
          "00",
          "١",
          " 1",
          "../1",
          "\u0000",
          "\ud800",
          "🚗",
          "999999999",
          "9".repeat(400),
        ]) {
          const status = await statusOf(route, requestOf(route, call), { ...call.params, [name]: text });
          // A history's key says nothing where there is one item only; a blank key is none.
          const isIdle = name === "key" && call.params?.family === "module_config";
          expect([name, text, status]).toEqual([
            name,
            text,
            isIdle ? expect.any(Number) : expect.toBeOneOf([400, 404]),
          ]);
        }
      }
    });
    expect(injections).toEqual([]);
  });
});

const names = ["basic-auth-password", "public_key", "cookie", "content-type", "content-encoding", "content-length"];
const more = ["origin", "sec-fetch-site", "x-forwarded-for", "x-forwarded-proto", "accept-encoding", "host"];
it.each(routes)("headers: $name: headers that nobody thought of", async (route) => {
  api.use({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" });
  const name = fc.constantFrom(...names, ...more);
  const value = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.constantFrom("next-auth.session-token=e.e.e.e.e", "gzip", "br", "deflate", "\u00ff", "-1", "x".repeat(9_000)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 5 }), fc.boolean(), async (pairs, isKnown) => {
      const request = requestOf(route, firstOf(route));
      if (isKnown) request.headers.set("basic-auth-password", "open sesame");
      for (const [header, text] of pairs) {
        // Not every text can be a header; those that cannot never get this far.
        try {
          request.headers.set(header, text);
        } catch {
          fc.pre(false);
        }
      }
      await statusOf(route, request);
    }),
    { numRuns: runs(15) },
  );
});

describe("0.3: 64 kB of one character take no more time than an ordinary text", () => {
  it.each(taking)("$name: in every place of its body", async (route) => {
    const [call = {}] = api.calls()[route.name] ?? [];
    for (const [index, place] of placesOf(route, call).entries()) {
      const send = (text: string) => callWith(route, replaceAt(call.body, place, text));
      await expectLinear(send, shareOf(longTexts, index));
    }
  });

  it.each(reading)("$name: in every parameter", async (route) => {
    for (const [index, name] of parametersOf(route).entries()) {
      const send = (text: string) => ask(route, new URLSearchParams({ [name]: text }).toString());
      await expectLinear(send, shareOf(longTexts, index));
    }
  });

  it.each(["cookie", "authorization", "basic-auth-password", "public_key", "origin", "x-forwarded-for", "host"])(
    "%s",
    async (header) => {
      api.use({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" });
      const route = findRoute("GET /api/v1/groups");
      await expectLinear(
        async (text) => {
          const request = requestOf(route, firstOf(route));
          request.headers.set(header, `a${text}a`);
          await statusOf(route, request);
        },
        longTexts.filter((text) => /^[\t -~]/.test(text)),
      );
    },
  );
});

describe("known attacks", () => {
  const rows: readonly (readonly [route: string, query: string, body: unknown, status: number])[] = [
    ["GET /api/v1/groups", "environment[]=x", undefined, 200],
    ["GET /api/v1/groups", "id[$ne]=1", undefined, 200],
    ["GET /api/v1/applications", "approval_status=bogus", undefined, 400],
    ["GET /api/v1/applications", "approval_status=bogus&approval_status=PENDING", undefined, 400],
    ["GET /api/v1/applications", "approval_status=PENDING&approval_status=bogus", undefined, 200],
    ["POST /api/v1/applications/hybrid", "", { uuid: ["a"], hybrid_preference: "BOTH" }, 400],
    ["POST /api/v1/webhook", "", { entity: "application", action: "DELETE", uuid: { $ne: "" } }, 200],
    ["POST /api/v1/applications/certificate/get", "", { AppId: { $ne: "" } }, 400],
    ["POST /api/v1/policy/apps", "", { policy_table: { app_policies: { "$a.b": { $ne: 1 } } } }, 200],
  ];
  it.each(rows)("%s ?%s %j", async (name, query, body, status) => {
    const route = findRoute(name);
    const call = { query, ...(body === undefined ? {} : { body: body as Record<string, unknown> }) };
    const injections = await findInjections(async () => {
      expect(await statusOf(route, requestOf(route, call))).toBe(status);
    });
    expect(injections).toEqual([]);
  });

  it("would be noticed in a command", () => {
    expect(injectionsIn({ find: "a", filter: { name: { $ne: mark } } }, false)).toEqual(["$ne"]);
    expect(injectionsIn({ q: { [`${mark}.a`]: 1 } }, false)).toEqual([`${mark}.a`]);
    expect(injectionsIn({ pipeline: [{ $project: { a: `$${mark}` } }] }, true)).toEqual([`$${mark}`]);
    expect(injectionsIn({ pipeline: [{ $match: { a: `$${mark}` } }] }, true)).toEqual([]);
    expect(injectionsIn({ filter: { name: mark } }, false)).toEqual([]);
  });
});
