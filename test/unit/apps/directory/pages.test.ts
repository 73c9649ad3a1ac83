import { describe, expect, it } from "vitest";
import { createDirectoryClient, type ClientOptions } from "@/lib/apps/directory/client/client";
import { readPages } from "@/lib/apps/directory/client/pages";
import { endStubs, envelope, serveHttp, type StubAnswer } from "@/test/support/http-stub";

endStubs();

const appsOf = (total: number) => Array.from({ length: total }, (_, id) => ({ uuid: `app-${id}`, version_id: id }));
const answerPage = (apps: readonly unknown[], offset: number): StubAnswer => ({
  body: envelope({ applications: apps.slice(offset, offset + 50) }),
});

async function aDirectory(total: number, options: ClientOptions = {}, change?: (offset: number) => StubAnswer | null) {
  const apps = appsOf(total);
  const stub = await serveHttp(({ query }) => {
    const offset = Number(query.offset);
    return change?.(offset) ?? answerPage(apps, offset);
  });
  const endpoint = { baseUrl: stub.url, publicKey: "p", secretKey: "s", rpcSpecUrl: "" };
  const client = createDirectoryClient(endpoint, { repeatAfterMs: [1, 1], ...options });
  return { apps, stub, client, offsets: () => stub.seen.map(({ query }) => Number(query.offset)) };
}

async function readAll(pages: AsyncIterable<readonly unknown[]>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const page of pages) found.push(...page);
  return found;
}

describe("3.1: all apps, in pages", () => {
  it.each([0, 1, 49, 50, 51, 100, 523])("reads %i apps in order", async (total) => {
    const { apps, client, stub, offsets } = await aDirectory(total);
    expect(await readAll(client.applicationPages())).toEqual(apps);
    const query = { include_deleted: "true", include_blacklisted: "true", limit: "50", offset: "0" };
    expect(stub.seen[0]?.query).toEqual(query);
    const needed = Array.from({ length: Math.floor(total / 50) + 1 }, (_, page) => page * 50);
    expect(offsets()).toEqual(expect.arrayContaining(needed));
    // One page is asked for alone when that is all.
    expect(offsets().length).toBeLessThanOrEqual(total < 50 ? 1 : needed.length + 3);
  });

  it("stops at the first page with fewer than 50 elements, whatever lies behind", async () => {
    const { client } = await aDirectory(500, {}, (offset) => (offset === 100 ? answerPage(appsOf(110), 100) : null));
    expect(await readAll(client.applicationPages())).toHaveLength(110);
  });

  it("an exact multiple costs one more, empty, page", async () => {
    const { client, offsets } = await aDirectory(100, { pagesAtOnce: 1 });
    expect(await readAll(client.applicationPages())).toHaveLength(100);
    expect(offsets()).toEqual([0, 50, 100]);
  });

  it("repeats a page that failed, and gives the pages in order however they arrive", async () => {
    let isBroken = true;
    const { client, apps } = await aDirectory(300, { pagesAtOnce: 4 }, (offset) => {
      if (offset !== 100 || !isBroken) return null;
      isBroken = false;
      return { status: 503 };
    });
    expect(await readAll(client.applicationPages())).toEqual(apps);
  });

  it("ends with the failure of a page, after the pages before it", async () => {
    const { client } = await aDirectory(300, {}, (offset) => (offset === 100 ? { status: 500 } : null));
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const page of client.applicationPages()) seen.push(...page);
    })();
    await expect(reading).rejects.toMatchObject({ name: "DirectoryFailed", status: 500 });
    expect(seen).toEqual(appsOf(100));
  });

  it("a failure behind the last page is none", async () => {
    const { client, apps } = await aDirectory(70, {}, (offset) => (offset > 50 ? { status: 500 } : null));
    expect(await readAll(client.applicationPages())).toEqual(apps);
  });

  it("ends with an error when a page repeats the one before", async () => {
    const { client, apps } = await aDirectory(300, {}, (offset) => (offset === 100 ? answerPage(apps, 50) : null));
    await expect(readAll(client.applicationPages())).rejects.toThrow("the same page twice");
  });

  it("ends when the directory knows no offsets, or gives nothing that has an identity", async () => {
    const all = await aDirectory(80, {}, () => answerPage(appsOf(80), 0));
    await expect(readAll(all.client.applicationPages())).rejects.toThrow("the same page twice");
    const empty = { body: envelope({ applications: Array.from({ length: 50 }, () => null) }) };
    const none = await aDirectory(0, {}, () => empty);
    await expect(readAll(none.client.applicationPages())).rejects.toThrow("the same page twice");
  });

  it("ends with an error after 2,000 pages", async () => {
    const asked: number[] = [];
    const read = (offset: number) => {
      asked.push(offset);
      return Promise.resolve(Array.from({ length: 50 }, (_, at) => ({ uuid: `${offset + at}` })));
    };
    let pages = 0;
    const reading = (async () => {
      for await (const page of readPages(read, 4)) pages += Math.sign(page.length);
    })();
    await expect(reading).rejects.toThrow("more than 2000 pages");
    expect([pages, asked.length]).toEqual([2000, 2000]);
  });
});

describe("3.1: a few pages at a time", () => {
  it("has at most that many on their way or waiting, and stops asking when nobody reads on", async () => {
    let open = 0;
    let max = 0;
    const read = async (offset: number) => {
      max = Math.max(max, ++open);
      await new Promise((resolve) => setTimeout(resolve, 1));
      return Array.from({ length: 50 }, (_, at) => ({ uuid: `${offset + at}` }));
    };
    let given = 0;
    for await (const page of readPages(read, 3)) {
      open--;
      given += page.length;
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (given === 500) break;
    }
    expect(max).toBe(3);
  });

  it("ends the calls on their way when nobody reads on", async () => {
    const stops: AbortSignal[] = [];
    const read = (offset: number, stop: AbortSignal) => {
      stops.push(stop);
      return offset === 0 ? Promise.resolve(appsOf(50)) : Promise.reject(new Error("nobody hears of it"));
    };
    for await (const page of readPages(read, 4)) {
      expect(page).toHaveLength(50);
      break;
    }
    expect(stops.every(({ aborted }) => aborted)).toBe(true);
  });
});
