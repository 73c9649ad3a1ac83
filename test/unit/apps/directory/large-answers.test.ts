import { describe, expect, it } from "vitest";
import { createDirectoryClient } from "@/lib/apps/directory/client/client";
import { isDirectoryFailed } from "@/lib/apps/directory/client/errors";
import { endStubs, serveHttp } from "@/test/support/http-stub";

endStubs();

const clientOf = (baseUrl: string) =>
  createDirectoryClient(
    { baseUrl, publicKey: "public-7f3a", secretKey: "secret-9b1c", rpcSpecUrl: "" },
    { repeatAfterMs: [] },
  );
const app = (number: number, size: number) => ({
  uuid: `app-${number}`,
  version_id: number,
  name: `App ${number} ${"ä".repeat(size)}`,
  of_no_use: "x".repeat(size),
});

describe("N10: large answers of the directory", () => {
  it("N10: above 4 MB are refused with a sentence, and others are read", async () => {
    const sizes = { huge: 4 * 1024 * 1024, large: 3 * 1024 * 1024 };
    let size: keyof typeof sizes = "huge";
    const stub = await serveHttp(() => ({
      body: { data: { categories: [{ id: 1, name: "n", display_name: "x".repeat(sizes[size]) }] } },
    }));
    const client = clientOf(stub.url);
    const refusal = await client.categories().catch((error: unknown) => error);
    expect(isDirectoryFailed(refusal)).toBe(true);
    expect(String(refusal)).toContain("more than 4 MB");
    size = "large";
    expect((await client.categories()).map(({ id }) => id)).toEqual([1]);
  });

  it("N10: come back whole", async () => {
    const apps = Array.from({ length: 50 }, (_, number) => app(number, 10_000));
    const stub = await serveHttp(() => ({ body: { meta: { message: null }, data: { applications: apps } } }));
    const found = await clientOf(stub.url).applications(apps.map(({ uuid }) => uuid));
    expect(found.slice(0, 50)).toEqual(apps);
  });

  it("N10: one after the other and many at once, each gets its own", async () => {
    const stub = await serveHttp(({ query }) => {
      const uuids = (query.uuid ?? "").split(",");
      return { body: { data: { applications: uuids.map((uuid) => ({ ...app(1, 200_000), uuid })) } } };
    });
    const client = clientOf(stub.url);
    const asked = ["a", "b", "c", "d", "e"].map((one) => [one, `${one}2`]);
    const found = await Promise.all(asked.map((uuids) => client.applications(uuids)));
    expect(found.map((apps) => apps.map((one) => (one as { uuid: string }).uuid))).toEqual(asked);
  });

  it.each([
    ["small", 20],
    ["large", 500_000],
  ])("N10: a %s one that is nested too deeply is a failure", async (_, depth) => {
    const deep = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    const stub = await serveHttp(() => ({ body: `{"data":{"categories":[{"id":1,"name":"n"}],"deep":${deep}}}` }));
    const failure = await clientOf(stub.url)
      .categories()
      .catch((error: unknown) => error);
    expect(isDirectoryFailed(failure)).toBe(true);
  });

  it("H5: what is no list, no object or no JSON is a failure, as in a small answer", async () => {
    const filler = "x".repeat(300_000);
    for (const body of [`"${filler}"`, `["${filler}"]`, filler, `{"data":{"categories":"${filler}"}}`]) {
      const stub = await serveHttp(() => ({ body }));
      const failure = await clientOf(stub.url)
        .categories()
        .catch((error: unknown) => error);
      expect(isDirectoryFailed(failure)).toBe(true);
    }
  });

  it("H4: a refusal says why, however long it is", async () => {
    const body = { meta: { message: "wrong keys" }, data: { filler: "x".repeat(300_000) } };
    const stub = await serveHttp(() => ({ status: 401, body }));
    await expect(clientOf(stub.url).categories()).rejects.toThrow("wrong keys");
  });

  it("H7: a list that is too long is a failure", async () => {
    const stub = await serveHttp(() => ({ body: { data: { services: new Array(20_000).fill(0) } } }));
    await expect(clientOf(stub.url).services()).rejects.toThrow('no usable list "services"');
  });
});
