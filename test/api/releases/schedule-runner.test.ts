import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { saveGroup } from "@/lib/records/groups/commands";
import { saveGroupBody } from "@/lib/records/groups/schema";
import { log } from "@/lib/platform/log";
import { listScheduled, scheduleRelease } from "@/lib/releases/schedule/commands";
import { startScheduledReleases } from "@/lib/releases/schedule/publish-due";
import { loadSettings } from "@/lib/platform/settings";
import { ReleaseModel } from "@/models/release";
import { ScheduledReleaseModel } from "@/models/scheduled-release";
import { testContext, withEmptyDatabase } from "@/test/support/database";
import { decodeHeader, endMailServers, readMail, startMailServer } from "@/test/support/mail-server";
import { useSettings } from "@/test/support/settings";
import { store, storeModuleConfig } from "@/test/support/stored-records";

withEmptyDatabase();
endMailServers();

const save = (name: string, members: object = {}) =>
  saveGroup(saveGroupBody.parse({ name, is_default: false, rpcs: [], ...members }), testContext);
const request = { items: "all", note: null, force: true, reason: "tested" } as const;
const schedule = (name: string) => scheduleRelease({ ...request, name }, new Date(Date.now() + 3_600_000), testContext);
const letTimePass = () => ScheduledReleaseModel.updateMany({}, { $set: { at: new Date(Date.now() - 1_000) } });
const published = async () => (await ReleaseModel.find({ kind: "release" }).lean()).map(({ name }) => name);
const withMail = (port: number) => ({
  SMTP_HOST: "127.0.0.1",
  SMTP_PORT: String(port),
  SMTP_FROM: "policy@example.com",
  NOTIFY_APP_REVIEW_FREQUENCY: "REALTIME",
  NOTIFY_APP_REVIEW_EMAILS: "one@example.com, two@example.com",
  PUBLIC_BASE_URL: "https://policy.example.com",
});

const ends: (() => Promise<void>)[] = [];
function start(): () => Promise<void> {
  const end = startScheduledReleases(loadSettings(), 20);
  ends.push(end);
  return end;
}

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  vi.restoreAllMocks();
});
beforeEach(async () => {
  await store((tx) => storeModuleConfig(tx, "PRODUCTION"));
  await save("A");
});

it("L11: what becomes due while it runs is published, and what is not due waits", async () => {
  useSettings();
  await schedule("Fair");
  start();
  start();
  await expect.poll(listScheduled).toHaveLength(1);
  expect(await published()).toEqual([]);
  await letTimePass();
  await expect.poll(published).toEqual(["Fair"]);
  await expect.poll(listScheduled).toEqual([]);
});

it("L11: after it was ended it publishes nothing more", async () => {
  useSettings();
  await schedule("Fair");
  await start()();
  await letTimePass();
  await wait(200);
  expect(await published()).toEqual([]);
});

it("L11: reviewers are mailed once why a release was stopped, and where it can be moved", async () => {
  const server = await startMailServer();
  useSettings(withMail(server.port));
  const logged = vi.spyOn(log, "warn").mockImplementation(() => undefined);
  const { id } = await schedule("Fair\nBcc: <b>all</b>");
  await save("A", { is_default: true });
  await letTimePass();
  const end = start();
  await expect.poll(() => server.received.length).toBe(1);
  await end();
  const reason = "The reviewed items have changed; nothing was published";
  expect(logged.mock.calls).toEqual([[{ scheduled: id, reason }, "a scheduled release was stopped"]]);
  const [mail] = server.received;
  if (mail === undefined) throw new Error("no mail");
  expect([mail.from, mail.to]).toEqual(["policy@example.com", ["one@example.com", "two@example.com"]]);
  const { headers, text, html } = readMail(mail);
  expect(decodeHeader(headers["subject"] ?? "")).toBe("Scheduled release was stopped: Fair Bcc: <b>all</b>");
  expect(headers).not.toHaveProperty("bcc");
  expect(text).toContain(reason);
  expect(text).toContain("https://policy.example.com/releases");
  expect(html).toContain("&lt;b&gt;all&lt;/b&gt;");
  expect(html).not.toContain("<b>");
});

it("L11: a mail server that says nothing holds up no release", async () => {
  const silent = createServer((socket) => void socket.on("error", () => undefined)).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  let isAsked = false;
  silent.on("connection", (socket) => {
    isAsked = true;
    silent.once("stop", () => socket.destroy());
  });
  useSettings(withMail(port));
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  const failed = vi.spyOn(log, "error").mockImplementation(() => undefined);
  const { id } = await schedule("Stopped");
  await save("A", { is_default: true });
  await letTimePass();
  const end = start();
  await expect.poll(() => isAsked).toBe(true);
  await schedule("Next");
  await letTimePass();
  await expect.poll(published).toEqual(["Next"]);
  silent.emit("stop");
  await end();
  expect(failed.mock.calls).toMatchObject([[{ scheduled: id }, "mail about a stopped release could not be sent"]]);
  silent.close();
});
