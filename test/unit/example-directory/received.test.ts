import http from "node:http";
import { once } from "node:events";
import { expect, it } from "vitest";
import { startFaultyDirectory } from "@/test/support/faulty-directory/start";
import { callDirectory } from "@/test/support/example-directory";

it("keeps what was asked, in the sender's spelling and without the values of keys", async () => {
  const directory = await startFaultyDirectory();
  const { baseUrl, publicKey, secretKey } = directory.endpoint;
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const headers = {
    public_key: publicKey,
    Secret_Key: secretKey,
    sdl_server_version: "1.2.3",
    Accept: "application/json",
  };
  const request = http.get(`${baseUrl}/api/v2/application?uuid=a%2Cb&limit=50`, { headers, agent: false });
  await once(request, "response");
  request.destroy();

  const [call] = directory.received.all();
  expect(call).toMatchObject({ method: "GET", path: "application", query: "uuid=a%2Cb&limit=50", body: null });
  expect(call?.headerNames).toEqual(
    expect.arrayContaining(["public_key", "Secret_Key", "sdl_server_version", "Accept"]),
  );
  expect(call?.headers).toMatchObject({ sdl_server_version: "1.2.3", accept: "application/json" });
  expect(JSON.stringify(directory.received.all())).not.toMatch(new RegExp(`${publicKey}|${secretKey}`));
  await directory.close();
});

it("keeps bodies, by path, and no more requests than asked for", async () => {
  const directory = await startFaultyDirectory({ keepReceived: 3 });
  for (let at = 0; at < 10; at++) await callDirectory(directory, `category?at=${at}`);
  await callDirectory(directory, "application/approval/vendor", { method: "PUT", body: '{"applications":7}' });
  expect(directory.received.all().map(({ query }) => query)).toEqual(["at=8", "at=9", ""]);
  expect(directory.received.all("application/approval/vendor")).toEqual([
    expect.objectContaining({ method: "PUT", body: '{"applications":7}' }),
  ]);
  expect(directory.received.total).toBe(11);
  directory.received.clear();
  expect(directory.received.all()).toEqual([]);
  await directory.close();
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
  const directory = await startFaultyDirectory();
  directory.faults.set({ kind: "hang" });
  const call = callDirectory(directory, "category").catch((error: unknown) => error);
  while (directory.faults.hanging === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await directory.close();
  expect(await call).toBeInstanceOf(Error);
  await expect(callDirectory(directory, "category")).rejects.toThrow("fetch failed");
});

it("refuses a body that is too large, and goes on", async () => {
  const directory = await startFaultyDirectory();
  const init = { method: "PUT", body: " ".repeat(9 * 2 ** 20) };
  expect((await callDirectory(directory, "application/approval/vendor", init)).status).toBe(413);
  expect((await callDirectory(directory, "category")).status).toBe(200);
  await directory.close();
});

it("says what is wrong when it cannot read its files, and goes on", async () => {
  const directory = await startFaultyDirectory({ root: "/nowhere" });
  for (const path of ["application", "category", "permission"])
    expect(await callDirectory(directory, path)).toMatchObject({
      status: 500,
      body: { meta: { code: 500, message: expect.stringContaining("/nowhere/seed/") }, data: {} },
    });
  expect((await fetch(directory.endpoint.rpcSpecUrl)).status).toBe(500);
  expect((await callDirectory(directory, "country")).status).toBe(200);
  await directory.close();
});
