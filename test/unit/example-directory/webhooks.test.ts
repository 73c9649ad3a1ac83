import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import exampleApps from "@/seed/example-apps.json";
import { type ExampleDirectory, startExampleDirectory } from "@/example-directory/directory";

const uuid = exampleApps[0]!.uuid;
let receiver: Server;
let url: string;
/** What the receiver answers, one after the other, then 200; null: the connection is dropped. */
let statuses: (number | null)[];
let got: { method: string | undefined; headerNames: string[]; key: unknown; body: any }[];
let directory: ExampleDirectory;

beforeEach(async () => {
  statuses = [];
  got = [];
  receiver = createServer((request, response) => {
    let text = "";
    request.on("data", (piece: Buffer) => (text += piece.toString()));
    request.on("end", () => {
      const { method, rawHeaders, headers } = request;
      got.push({ method, headerNames: rawHeaders, key: headers["public_key"], body: JSON.parse(text) });
      const [status = 200, ...others] = statuses;
      statuses = others;
      if (status === null) request.socket.destroy();
      else response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", () => resolve()));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/api/v1/webhook`;
});
afterEach(async () => {
  await directory.close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

it("sends what the directory sends", async () => {
  directory = await startExampleDirectory();
  expect(await directory.sendWebhook({ url, action: "UPSERT", uuid })).toEqual([{ status: 200 }]);
  const [webhook] = got;
  expect(webhook).toMatchObject({ method: "POST", key: directory.endpoint.publicKey });
  expect(webhook?.headerNames).toContain("public_key");
  const { updated_ts } = exampleApps[0]!;
  expect(webhook?.body).toEqual({ entity: "application", action: "UPSERT", uuid, updated_ts, deleted_ts: null });
  await directory.sendWebhook({ url, action: "UPSERT", uuid, key: "wrong" });
  expect(got[1]?.key).toBe("wrong");
});

it("tries four times at most, and stops at success", async () => {
  directory = await startExampleDirectory({ webhookPausesMs: [1, 1, 1] });
  statuses = [500, null, 503];
  const attempts = await directory.sendWebhook({ url, action: "DELETE", uuid });
  const dropped = { error: expect.stringContaining("fetch failed") };
  expect(attempts).toEqual([{ status: 500 }, dropped, { status: 503 }, { status: 200 }]);
  statuses = [500, 500, 500, 500, 500];
  expect(await directory.sendWebhook({ url, action: "DELETE", uuid })).toEqual(Array(4).fill({ status: 500 }));
});

it("gives up a pause when it is closed", async () => {
  directory = await startExampleDirectory({ webhookPausesMs: [600_000] });
  statuses = [500];
  const sending = directory.sendWebhook({ url, action: "UPSERT", uuid });
  while (got.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await directory.close();
  expect(await sending).toHaveLength(1);
});

it("announces every change", async () => {
  const outcomes: unknown[] = [];
  directory = await startExampleDirectory({
    webhookUrl: url,
    webhookPausesMs: [1],
    onWebhook: ({ action }, attempts) => outcomes.push([action, attempts]),
  });
  const changes = [
    () => directory.apps.change(uuid),
    () => directory.apps.blacklist(uuid),
    () => directory.apps.unblacklist(uuid),
    () => directory.apps.delete(uuid),
    () => directory.apps.add(),
  ];
  for (const change of changes) {
    change();
    await directory.webhooksSettled();
  }
  expect(got.map(({ body }) => body.action)).toEqual(["UPSERT", "BLACKLIST", "UPSERT", "DELETE", "UPSERT"]);
  expect(got[3]?.body).toMatchObject({ uuid, deleted_ts: directory.apps.app(uuid)?.deleted_ts });
  expect(outcomes).toHaveLength(5);
  expect(outcomes[1]).toEqual(["BLACKLIST", [{ status: 200 }]]);
});
