import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createDirectoryClient, type ClientOptions } from "@/lib/apps/directory/client/client";
import { log } from "@/lib/platform/log";
import { packageVersion } from "@/lib/platform/version";
import { endStubs, envelope, type HttpStub, serveHttp, type StubAnswer } from "@/test/support/http-stub";

endStubs();

const keys = { publicKey: "public-7f3a", secretKey: "secret+9b1c/" };
const clientOf = (baseUrl: string, options: ClientOptions = {}) =>
  createDirectoryClient({ baseUrl, ...keys, rpcSpecUrl: "http://unused" }, { repeatAfterMs: [1, 1], ...options });
const approval = { uuid: "a", version_id: 7, approval_status: "LIMITED", notes: "no", blacklist: false };
const categories = envelope({ categories: [{ id: 1, name: "MEDIA", display_name: "Media" }] });

const warn = vi.spyOn(log, "warn");
beforeEach(() => {
  warn.mockClear();
});
const logged = () => JSON.stringify(warn.mock.calls);

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "nothing",
    (error: unknown) => error,
  );
const erring = (name: string) => (text: string | RegExp) =>
  expect.objectContaining({ name, message: expect.stringMatching(text) as unknown });
const [failed, refused] = [erring("DirectoryFailed"), erring("DirectoryRefused")];
async function refusalBy(answer: Parameters<typeof serveHttp>[0], options?: ClientOptions) {
  const stub = await serveHttp(answer);
  return { stub, error: await rejection(clientOf(stub.url, options).categories()) };
}

describe("section 1: what is sent", () => {
  it("sends keys and version under exactly their names, and no content type with GET", async () => {
    const stub = await serveHttp(() => ({ body: categories }));
    expect(await clientOf(stub.url).categories()).toEqual([{ id: 1, name: "MEDIA", displayName: "Media" }]);
    const [{ method, path, search, headers, headerNames } = neverSeen] = stub.seen;
    expect({ method, path, search }).toEqual({ method: "GET", path: "/api/v2/category", search: "" });
    expect(headerNames).toEqual(expect.arrayContaining(["public_key", "secret_key", "sdl_server_version"]));
    expect(headers).toMatchObject({
      public_key: keys.publicKey,
      secret_key: keys.secretKey,
      sdl_server_version: packageVersion,
      accept: "application/json",
    });
    expect(headers).not.toHaveProperty("content-type");
  });

  it("keeps a path of the base address", async () => {
    const stub = await serveHttp(() => ({ body: categories }));
    await clientOf(`${stub.url}/a/b`).categories();
    expect(stub.seen[0]?.path).toBe("/a/b/api/v2/category");
  });

  it("3.2: sends an approval with PUT and takes any JSON object of a success", async () => {
    const stub = await serveHttp(() => ({ body: {} }));
    await clientOf(stub.url).sendApproval(approval);
    const [{ method, path, headers, body } = neverSeen] = stub.seen;
    expect({ method, path }).toEqual({ method: "PUT", path: "/api/v2/application/approval/vendor" });
    expect(headers["content-type"]).toBe("application/json; charset=UTF-8");
    expect(JSON.parse(body)).toEqual({ applications: [approval] });
  });

  it.each([
    ["permissions", "permission", "permission_categories", { include_hidden: "true", include_parents: "true" }],
    ["services", "service", "services", { include_permissions: "true" }],
    ["countries", "country", "countries", {}],
    ["locales", "locale", "locales", {}],
    ["categories", "category", "categories", {}],
  ] as const)("3.3 to 3.6: reads %s", async (method, entity, list, query) => {
    const stub = await serveHttp(() => ({ body: envelope({ [list]: [] }) }));
    expect(await clientOf(stub.url)[method]()).toEqual([]);
    expect(stub.seen).toMatchObject([{ method: "GET", path: `/api/v2/${entity}`, query }]);
    expect(Object.keys(stub.seen[0]?.query ?? {})).toEqual(Object.keys(query));
  });
});

describe("H1", () => {
  it.each([
    ["no answer", () => undefined],
    ["a body that never ends", (_, response) => void response.write('{"data":')],
  ] satisfies [string, StubAnswer][])("aborts at the deadline: %s", async (_, answer) => {
    const { error } = await refusalBy(() => answer, { deadlineMs: 30, repeatAfterMs: [] });
    expect(error).toEqual(failed("did not answer within 0.03 s"));
  });

  it("ends at once when the process stops, also between two attempts", async () => {
    const stop = new AbortController();
    const stub = await serveHttp(() => {
      setTimeout(() => stop.abort(), 1);
      return { status: 500 };
    });
    const client = clientOf(stub.url, { repeatAfterMs: [3_600_000], stop: stop.signal });
    expect(await rejection(client.categories())).toEqual(failed("stopped"));
    expect(await rejection(client.categories())).toEqual(failed("stopped"));
    expect(stub.seen).toHaveLength(1);
  });
});

it("H2: percent-encodes values and leaves out what is not given", async () => {
  const stub = await serveHttp(() => ({ body: envelope({ applications: [] }) }));
  await clientOf(stub.url).applications(["a b", "c&d=e", "ü+%"]);
  expect(stub.seen[0]?.search).toBe(
    "?uuid=a%20b%2Cc%26d%3De%2C%C3%BC%2B%25&include_deleted=true&include_blacklisted=true&limit=50",
  );
});

describe("H3 and H5", () => {
  const unusable: readonly (readonly [string, StubAnswer, RegExp])[] = [
    ["a server error", { status: 500, body: envelope(null, "out of order") }, /status 500: out of order/],
    ["a server error without JSON", { status: 502, body: "<html>" }, /status 502$/],
    ["not found", { status: 404, body: categories }, /status 404/],
    ["no JSON", { body: "<html>" }, /something other than a JSON object/],
    ["truncated JSON", { body: '{"data":{"categories":[' }, /something other than a JSON object/],
    ["an empty body", { body: "" }, /something other than a JSON object/],
    ["a JSON list", { body: "[]" }, /something other than a JSON object/],
    ["a JSON text", { body: '"fine"' }, /something other than a JSON object/],
    ["null", { body: "null" }, /something other than a JSON object/],
    [
      "nested too deeply",
      { body: `{"data":${"[".repeat(20)}${"]".repeat(20)}}` },
      /something other than a JSON object/,
    ],
    ["no data", { body: {} }, /no usable list "categories"/],
    ["another list", { body: envelope({ services: [] }) }, /no usable list "categories"/],
    ["an object for the list", { body: envelope({ categories: {} }) }, /no usable list "categories"/],
    ["nothing usable in the list", { body: envelope({ categories: [null, {}] }) }, /Nothing in/],
    ["a dropped connection", (_, response) => response.destroy(), /cannot be reached/],
    ["a connection dropped in the body", dropInBody, /cannot be reached/],
    ["wrong compression", { headers: { "Content-Encoding": "gzip" }, body: "no gzip" }, /cannot be reached/],
  ];

  it.each(unusable)("counts as failed and is repeated twice, and may succeed then: %s", async (_, answer, text) => {
    const { stub, error } = await refusalBy(() => answer);
    expect(error).toEqual(failed(text));
    expect(stub.seen).toHaveLength(3);
    expect(warn.mock.calls.filter((call) => JSON.stringify(call).includes("attempt"))).toHaveLength(3);
    const healed = await serveHttp((__, number) => (number === 0 ? answer : { body: categories }));
    expect(await clientOf(healed.url).categories()).toHaveLength(1);
    expect(healed.seen).toHaveLength(2);
  });

  it("counts a port nobody listens on as failed", async () => {
    const stub = await serveHttp(() => ({}));
    await stub.close();
    expect(await rejection(clientOf(stub.url).categories())).toEqual(failed("ECONNREFUSED"));
  });

  it("repeats after 1 s and 3 s unless told otherwise", async () => {
    // A connection that is kept would have a timer of 3 s as well.
    const headers = { Connection: "close" };
    const stub = await serveHttp((_, number) => ({ headers, status: number < 2 ? 500 : 200, body: categories }));
    const client = createDirectoryClient({ baseUrl: stub.url, ...keys, rpcSpecUrl: "http://unused" });
    const [wait, pauses, isPause] = [setTimeout, [] as number[], (ms: number) => ms === 1_000 || ms === 3_000];
    const hurry = vi.spyOn(globalThis, "setTimeout").mockImplementation(((end: () => void, ms: number, ...rest: []) => {
      if (isPause(ms)) pauses.push(ms);
      return wait(end, isPause(ms) ? 0 : ms, ...rest);
    }) as never);
    onTestFinished(() => hurry.mockRestore());
    expect(await client.categories()).toHaveLength(1);
    expect(pauses).toEqual([1_000, 3_000]);
  });

  it("does not repeat a PUT", async () => {
    const stub = await serveHttp(() => ({ status: 500 }));
    expect(await rejection(clientOf(stub.url).sendApproval(approval))).toEqual(failed("status 500"));
    expect(stub.seen).toHaveLength(1);
  });
});

describe("H4", () => {
  it.each([400, 401, 402, 403])(
    "status %i with JSON is refused, not repeated, and its message is logged",
    async (status) => {
      const stub = await serveHttp(() => ({ status, body: envelope(null, " keys\n\u0000 unknown ") }));
      for (const call of [() => clientOf(stub.url).categories(), () => clientOf(stub.url).sendApproval(approval)]) {
        expect(await rejection(call())).toEqual(refused(`status ${status}: keys unknown$`));
      }
      expect(stub.seen).toHaveLength(2);
      expect(warn.mock.calls[0]?.[0]).toMatchObject({
        status,
        path: "/api/v2/category",
        reason: expect.stringContaining("keys unknown"),
      });
    },
  );

  it("status 403 without JSON comes from something else than the directory: failed", async () => {
    const { stub, error } = await refusalBy(() => ({ status: 403, body: "<html>" }));
    expect(error).toEqual(failed("status 403"));
    expect(stub.seen).toHaveLength(3);
  });

  it("cuts a long message", async () => {
    const { error } = await refusalBy(() => ({ status: 400, body: envelope(null, "x".repeat(100_000)) }));
    expect((error as Error).message.length).toBeLessThan(400);
  });
});

it("H6: sends the keys nowhere else: a redirection is not followed", async () => {
  const other = await serveHttp(() => ({ body: categories }));
  const { error } = await refusalBy(() => ({ status: 302, headers: { Location: `${other.url}/api/v2/category` } }));
  expect(error).toEqual(failed("status 302"));
  expect(other.seen).toEqual([]);
});

describe("H7", () => {
  it.each([
    ["sent without end", "x".repeat(1024 * 1024), {}],
    // Members of a gzip stream follow each other, so this one has no end either.
    ["small as long as it is compressed", gzipSync(Buffer.alloc(4 * 1024 * 1024)), { "Content-Encoding": "gzip" }],
  ])("reads no more than 4 MiB of a body that is %s", async (_, chunk, headers) => {
    const endless: StubAnswer = (__, response) => {
      response.writeHead(200, headers);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", more);
      more();
    };
    const { error } = await refusalBy(() => endless, { repeatAfterMs: [], deadlineMs: 600_000 });
    expect(error).toEqual(failed("too long: more than 4 MB$"));
  });

  it("takes lists of 10,000 elements and none that are longer", async () => {
    const list = Array.from({ length: 10_001 }, (_, id) => ({ id, name: "X" }));
    const stub = await serveHttp((_, number) => ({
      body: envelope({ categories: number === 0 ? list.slice(1) : list }),
    }));
    const client = clientOf(stub.url, { repeatAfterMs: [] });
    expect(await client.categories()).toHaveLength(10_000);
    expect(await rejection(client.categories())).toEqual(failed("no usable list"));
  });

  it("leaves unusable elements out, and says so once", async () => {
    const list = [null, { id: "1", name: "A" }, { id: 2, name: "B", display_name: 5 }, { id: 3, name: "" }];
    const stub = await serveHttp(() => ({ body: envelope({ categories: list }) }));
    expect(await clientOf(stub.url).categories()).toEqual([{ id: 2, name: "B", displayName: null }]);
    expect(warn.mock.calls).toMatchObject([[{ entity: "category", left_out: 3, of: 4 }, expect.any(String)]]);
  });
});

describe("H8", () => {
  it("shows no key, whatever the directory echoes", async () => {
    const echoes = [keys.secretKey, keys.publicKey.toUpperCase(), encodeURIComponent(keys.secretKey)];
    echoes.push(Buffer.from(keys.secretKey).toString("base64"));
    const message = `your keys ${echoes.join(" and ")} are wrong`;
    const permission = { key: keys.secretKey, type: "X" };
    const stub = await serveHttp(({ path }) =>
      path.endsWith("permission")
        ? { body: envelope({ permission_categories: [{ permissions: [permission, { key: "Show", type: "RPC" }] }] }) }
        : { status: path.endsWith("service") ? 500 : 401, body: envelope(null, message) },
    );
    const client = clientOf(stub.url);
    await client.permissions();
    const texts = [logged()];
    for (const call of [() => client.categories(), () => client.services()]) {
      const error = (await rejection(call())) as Error;
      expect(error.message).toContain("your keys *** and *** and *** and *** are wrong");
      texts.push(JSON.stringify([error, error.message, error.stack, String(error.cause)]));
    }
    texts.push(logged());
    for (const echo of [...echoes, keys.publicKey]) expect(texts.join()).not.toContain(echo);
  });

  it("shows no key that cannot be sent in a header", async () => {
    const endpoint = { baseUrl: "http://127.0.0.1:1", publicKey: "a\nb", secretKey: "key €", rpcSpecUrl: "" };
    const error = await rejection(createDirectoryClient(endpoint, { repeatAfterMs: [] }).categories());
    expect(error).toEqual(failed("cannot be reached"));
    expect(`${(error as Error).stack}${logged()}`).not.toMatch(/a\\?nb|key €/);
  });
});

describe("3.1: some apps", () => {
  const list = (stub: HttpStub) => stub.seen.map(({ query }) => query.uuid);

  it("asks for at most 50 at once, for each once, for one with a comma alone, and never for an empty one", async () => {
    const uuids = Array.from({ length: 101 }, (_, index) => `app-${index}`);
    const stub = await serveHttp(({ query }) => ({ body: envelope({ applications: [{ uuid: query.uuid }] }) }));
    const found = await clientOf(stub.url).applications([...uuids, "", "app-1", "a,b"]);
    expect(list(stub).map((text) => text?.split(",").length)).toEqual([50, 50, 2, 1]);
    expect(list(stub).join().split(",").toSorted()).toEqual([...uuids, "a", "b"].toSorted());
    expect(found).toHaveLength(4);
    expect(stub.seen[2]?.query.uuid).toBe("a,b");
  });

  it("makes no address that servers refuse for its length", async () => {
    const stub = await serveHttp(() => ({ body: envelope({ applications: [] }) }));
    await clientOf(stub.url).applications(Array.from({ length: 50 }, (_, index) => `${"ü".repeat(34)}${index}`));
    expect(stub.seen.length).toBeGreaterThan(1);
    expect(Math.max(...stub.seen.map(({ search }) => search.length))).toBeLessThan(5_000);
  });

  it("asks nothing for no uuids", async () =>
    expect(await clientOf("http://127.0.0.1:1").applications([])).toEqual([]));
});

describe("3.4: permissions", () => {
  it("puts the permissions of all categories together, each key once", async () => {
    const gps = { key: "gps", type: "PARAMETER", name: "", function_id: "1" };
    const one = [
      { key: "Show", type: "RPC", name: "Show it", function_id: 13, is_hidden: true },
      { ...gps, parent_permissions: [{ key: "A" }, { key: "A" }] },
    ];
    const two = [
      { key: "gps", type: "MODULE", parent_permissions: [{ key: "B" }, {}, "x", { key: "" }, null] },
      { key: "Odd", type: "STRANGE" },
      { key: "x".repeat(65), type: "RPC" },
      { key: "CLIMATE", type: "MODULE", parent_permissions: 5 },
    ];
    const permission_categories = [one, two].map((permissions) => ({ name: "any", permissions }));
    const stub = await serveHttp(() => ({ body: envelope({ permission_categories }) }));
    expect(await clientOf(stub.url).permissions()).toEqual([
      { key: "Show", type: "RPC", displayName: "Show it", functionId: 13, parents: [] },
      { key: "gps", type: "PARAMETER", displayName: null, functionId: null, parents: ["A", "B"] },
      { key: "CLIMATE", type: "MODULE", displayName: null, functionId: null, parents: [] },
    ]);
    expect(logged()).toContain("Odd: type");
  });

  it.each([
    ["categories that are no objects", [1, 2]],
    ["a category without permissions", [{ permissions: [{ key: "Show", type: "RPC" }] }, {}]],
    ["too many in all", Array.from({ length: 11 }, () => ({ permissions: Array.from({ length: 1000 }, () => ({})) }))],
  ])("takes nothing of %s", async (_, permission_categories) => {
    const stub = await serveHttp(() => ({ body: envelope({ permission_categories }) }));
    expect(await rejection(clientOf(stub.url).permissions())).toEqual(failed("no usable list of permissions"));
  });
});

it("3.5: reads service types with the keys of their permissions", async () => {
  const services = [
    { name: "MEDIA", display_name: "Media", permissions: [{ key: "ButtonPress" }, { key: "ButtonPress" }, 5] },
    { name: "WEATHER" },
  ];
  expect(await clientOf((await serveHttp(() => ({ body: envelope({ services }) }))).url).services()).toEqual([
    { name: "MEDIA", displayName: "Media", permissions: ["ButtonPress"] },
    { name: "WEATHER", displayName: "WEATHER", permissions: [] },
  ]);
});

const neverSeen = { method: "", path: "", search: "", headers: {}, headerNames: [], body: "", query: {} } as never;

function dropInBody(_: unknown, response: { write(text: string): unknown; destroy(): unknown }) {
  response.write('{"data":{"categories":[');
  setTimeout(() => response.destroy(), 5);
}
