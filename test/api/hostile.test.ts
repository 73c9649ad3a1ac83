import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contextOf, requestOf, withApi } from "@/test/support/api";
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
import { buildInputSchema, type JsonSchema } from "@/lib/platform/zod/json-schema";
import { findMembers } from "@/app/_api/openapi/type-text";
import { watchCommands } from "@/test/support/database-commands";

/** Part of every hostile value, to recognize it in what reaches the database. */
const mark = "m4rk3r";

const hostileValues: readonly unknown[] = [
  { $ne: mark },
  { $gt: mark },
  { $where: mark },
  { $exists: mark },
  { [`${mark}.a`]: 1 },
  { [mark]: { $ne: mark } },
  [{ $ne: mark }],
  [mark],
  `${mark}\u0000`,
  `$${mark}`,
  `${mark}.a.b`,
  `${mark}\ud800`,
  `__proto__`,
  "x".repeat(70_000),
  null,
  true,
  1.5,
  -1,
  1e99,
  "99999999999",
  "9".repeat(400),
  99_999_999_999,
  [],
  {},
  [null],
  "",
];

/** For the query: only texts, but with any names. */
const hostileTexts: readonly string[] = [
  `$${mark}`,
  `${mark}.a`,
  `${mark}%00`,
  "%00",
  "%F0%9F%9A%97",
  "%ED%A0%80",
  "1.5",
  "1e99",
  "99999999999",
  "99999999999999999999999",
  "-0",
  "bogus",
  "",
  "%5B%22a%22%5D",
  `{"$ne":"${mark}"}`,
  "x".repeat(5_000),
];

type Path = readonly (string | number)[];

/** All paths in a body: those of a valid one, and those of optional members that it lacks. */
function placesOf(route: RouteMethod, { body }: ValidCall): readonly Path[] {
  const schema = route.facts.input.body && buildInputSchema(route.facts.input.body).schema;
  return [...pathsOf(body ?? {}), ...(schema ? missingPaths(schema, body) : [])];
}

function pathsOf(value: unknown): Path[] {
  if (typeof value !== "object" || value === null) return [[]];
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  // The first two elements represent a long list of equal ones.
  const few = Array.isArray(value) ? steps.slice(0, 2) : steps;
  return [[], ...few.flatMap((step) => pathsOf(Reflect.get(value, step)).map((path) => [step, ...path]))];
}

function missingPaths(schema: JsonSchema, value: unknown): Path[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((one) => missingPaths(schema, one).map((p) => [0, ...p]));
  return (findMembers(schema) ?? []).flatMap(({ name, schema: member }): Path[] => {
    const own: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
    return own === undefined ? [[name]] : missingPaths(member, own).map((path) => [name, ...path]);
  });
}

function replaceAt(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  const copy: any = Array.isArray(value) ? [...value] : { ...(value as object) };
  copy[step] = replaceAt(copy[step], rest, by);
  return copy;
}

function parametersOf({ facts }: RouteMethod): readonly string[] {
  const members = facts.input.query && findMembers(buildInputSchema(facts.input.query).schema);
  return (members ?? []).map(({ name }) => name);
}

const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(...hostileValues));

/** What came from input as an operator, a member or an expression (`api.md` 0.2). */
async function findInjections(work: () => Promise<unknown>): Promise<readonly string[]> {
  const found: string[] = [];
  await watchCommands(({ commandName, command }) => {
    if (!JSON.stringify(command).includes(mark)) return;
    found.push(...injectionsIn(command, commandName === "aggregate").map((what) => `${commandName}: ${what}`));
  }, work);
  return found;
}

const injectedOperators: ReadonlySet<string> = new Set(["$ne", "$gt", "$where", "$exists"]);

function injectionsIn(value: unknown, isExpression: boolean): string[] {
  if (typeof value === "string") return isExpression && value.startsWith(`$${mark}`) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => injectionsIn(one, isExpression));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const isOperator = injectedOperators.has(name) && JSON.stringify(member).includes(mark);
    const own = isOperator || name.includes(mark) ? [name] : [];
    // The content of `$match` and `$literal` are values, not expressions.
    return [...own, ...injectionsIn(member, isExpression && name !== "$match" && name !== "$literal")];
  });
}

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
