import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type FaultyDirectory, startFaultyDirectory } from "@/test/support/faulty-directory/start";
import { callDirectory } from "@/test/support/example-directory";

let directory: FaultyDirectory;
beforeAll(async () => {
  directory = await startFaultyDirectory({ apps: 120 });
});
afterEach(() => directory.faults.clear());
afterAll(() => directory.close());

const get = (path: string) => callDirectory(directory, path);
/** For answers that are no JSON. */
const raw = (path: string, init: RequestInit = {}) => {
  const { baseUrl, publicKey: public_key, secretKey: secret_key } = directory.endpoint;
  return fetch(`${baseUrl}/api/v2/${path}`, { headers: { public_key, secret_key }, ...init });
};
const causeCode = (failure: any) => failure.cause?.code;
const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await wait(5);
};

describe("scope", () => {
  it("ends after the given number of calls", async () => {
    directory.faults.set({ kind: "status", times: 2 });
    const statuses = [];
    for (let call = 0; call < 3; call++) statuses.push((await get("category")).status);
    expect(statuses).toEqual([500, 500, 200]);
  });

  it("is a path, a method, or a condition", async () => {
    directory.faults.set({ kind: "status", path: "service" });
    directory.faults.set({ kind: "status", status: 502, method: "PUT" });
    directory.faults.set({ kind: "status", status: 503, when: ({ query }) => query.get("offset") === "50" });
    expect((await get("category")).status).toBe(200);
    expect((await get("service")).status).toBe(500);
    expect((await callDirectory(directory, "application/approval/vendor", { method: "PUT" })).status).toBe(502);
    expect((await get("application?offset=50")).status).toBe(503);
    expect((await get("application?offset=0")).status).toBe(200);
  });

  it("is taken back alone or together with all others", async () => {
    const takeBack = directory.faults.set({ kind: "status" });
    directory.faults.set({ kind: "status", status: 401 });
    takeBack();
    expect((await get("category")).status).toBe(401);
    directory.faults.clear();
    expect((await get("category")).status).toBe(200);
  });
});

describe("kinds", () => {
  it.each([500, 401, 400, 403, 429])("answers %i in the envelope", async (status) => {
    directory.faults.set({ kind: "status", status, message: "On purpose" });
    const answer = await get("application");
    expect(answer).toMatchObject({ status, body: { meta: { code: status, message: "On purpose" }, data: {} } });
  });

  it("answers with a web page", async () => {
    directory.faults.set({ kind: "garbage" });
    const response = await raw("application");
    expect(response.status).toBe(200);
    await expect(response.json()).rejects.toThrow(SyntaxError);
  });

  it("answers with half of the JSON", async () => {
    const whole = await (await raw("category")).text();
    directory.faults.set({ kind: "truncated" });
    const text = await (await raw("category")).text();
    expect(text).toHaveLength(Math.floor(whole.length / 2));
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  it("hangs until it is released with an answer", async () => {
    directory.faults.set({ kind: "hang", times: 2 });
    const calls = [get("category"), get("service")];
    await until(() => directory.faults.hanging === 2);
    expect(await Promise.race([calls[0], wait(50, "nothing yet")])).toBe("nothing yet");
    expect((await get("category")).status).toBe(200);
    directory.faults.release();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
    expect(directory.faults.hanging).toBe(0);
  });

  it.each([
    ["hang", { kind: "hang" }],
    ["slow", { kind: "slow", ms: 300 }],
  ] as const)(
    "answers with what was true at the start of a %s call when asked to, else at its end",
    async (_, fault) => {
      for (const stale of [true, false]) {
        const { uuid, version_id: before } = directory.apps.at(0);
        const calls = directory.received.total;
        directory.faults.set({ ...fault, stale, times: 1 });
        const call = get(`application?uuid=${uuid}`);
        await until(
          () => directory.received.total > calls && (fault.kind === "slow" || directory.faults.hanging === 1),
        );
        const { version_id: after } = directory.apps.change(uuid);
        directory.faults.release();
        expect((await call).body.data.applications[0].version_id).toBe(stale ? before : after);
      }
    },
  );

  it("hangs until it is released without an answer", async () => {
    directory.faults.set({ kind: "hang" });
    const failure = get("category").catch((error: unknown) => error);
    await until(() => directory.faults.hanging === 1);
    directory.faults.release("drop");
    expect(causeCode(await failure)).toBe("ECONNRESET");
  });

  it("forgets a hanging call whose caller gave up", async () => {
    directory.faults.set({ kind: "hang" });
    const call = raw("category", { signal: AbortSignal.timeout(100) }).catch((error: unknown) => error);
    await until(() => directory.faults.hanging === 1);
    expect(await call).toMatchObject({ name: "TimeoutError" });
    await until(() => directory.faults.hanging === 0);
  });

  it("answers late", async () => {
    directory.faults.set({ kind: "slow", ms: 150 });
    const start = performance.now();
    expect((await get("category")).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(140);
  });

  it("stalls in the middle of the body", async () => {
    directory.faults.set({ kind: "stall", ms: 150 });
    const start = performance.now();
    const response = await raw("category");
    expect(await response.json()).toHaveProperty("data.categories");
    expect(performance.now() - start).toBeGreaterThan(140);
  });

  it("drops the connection before the answer, and within it", async () => {
    directory.faults.set({ kind: "reset", times: 1 });
    expect(causeCode(await raw("category").catch((error: unknown) => error))).toBe("ECONNRESET");
    directory.faults.set({ kind: "cut", times: 1 });
    const response = await raw("application");
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow("terminated");
  });

  it.each([
    ["no-data", { meta: expect.any(Object) }],
    ["null", null],
    ["text", "fine"],
    ["object-for-list", { meta: expect.any(Object), data: { applications: {} } }],
    ["wrong-elements", { meta: expect.any(Object), data: { applications: [null, 7, "x"] } }],
  ] as const)("answers in the wrong shape: %s", async (shape, expected) => {
    directory.faults.set({ kind: "shape", shape });
    expect(await get("application")).toMatchObject({ status: 200, body: expected });
    if (shape === "no-data") expect((await get("application")).body).not.toHaveProperty("data");
  });

  it("repeats the first page", async () => {
    const { body } = await get("application?limit=50");
    directory.faults.set({ kind: "repeat", when: ({ query }) => query.get("offset") !== "100" });
    expect((await get("application?limit=50&offset=50")).body.data).toEqual(body.data);
    expect((await get("application?limit=50&offset=100")).body.data.applications).toHaveLength(20);
  });

  it("answers with more than anyone should take", async () => {
    directory.faults.set({ kind: "huge", bytes: 2 ** 20, times: 1 });
    const { padding, data } = (await get("category")).body;
    expect(padding).toHaveLength(2 ** 20);
    expect(data.categories).toHaveLength(10);
    directory.faults.set({ kind: "huge" });
    const response = await raw("category");
    let length = 0;
    for await (const piece of response.body ?? []) length += piece.length;
    expect(length).toBeGreaterThan(33 * 2 ** 20);
  });

  it("survives a caller that leaves in the middle of too large an answer", async () => {
    directory.faults.set({ kind: "huge", times: 1 });
    await (await raw("category")).body?.cancel();
    expect((await get("category")).status).toBe(200);
  });

  it("answers just what a test wants", async () => {
    directory.faults.set({ kind: "answer", status: 302, body: "", headers: { Location: "http://127.0.0.1:9/" } });
    const response = await raw("category", { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([302, "http://127.0.0.1:9/"]);
  });
});
