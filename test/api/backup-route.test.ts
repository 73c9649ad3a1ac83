import { readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, beforeEach, expect, it } from "vitest";
import * as backup from "@/app/api/v1/backup/route";
import { requireRestorable } from "@/lib/platform/backup/restore";
import { AuditEventModel } from "@/models/audit-event";
import { firstData } from "@/test/support/content";
import { withDatabase } from "@/test/support/database";
import { aRequest } from "@/test/support/requests";
import { useSettings } from "@/test/support/settings";
import { temporaryFolder } from "@/test/support/temporary-folder";

withDatabase();
const dataDir = temporaryFolder();
beforeAll(() => firstData());
beforeEach(() => useSettings({ DATA_DIR: dataDir }));

const get = (init: Parameters<typeof aRequest>[1] = {}) => backup.GET(aRequest("/api/v1/backup", init));

it("X11: GET backup sends a whole backup as a file, notes it in the audit trail, and keeps none on the server", async () => {
  const response = await get();
  expect(response.headers.get("content-type")).toBe("application/gzip");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("content-disposition")).toMatch(
    /^attachment; filename="open-policy-[\d-]{19}\.backup\.gz"$/,
  );
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(gunzipSync(bytes).toString("utf8")).toContain('"collection":"functional_groups"');
  expect(readdirSync(dataDir)).toEqual([]);
  const file = path.join(dataDir, "received.gz");
  writeFileSync(file, bytes);
  const { revision, collections } = await requireRestorable(file);
  rmSync(file);
  const [event] = await AuditEventModel.find({ action: "backup.read" }).lean();
  const documents = Object.values(collections).reduce((sum, count) => sum + count, 0);
  expect(event).toMatchObject({ target: "database", after: { documents, bytes: bytes.length, revision } });
});

it("X11: a caller that goes away in the middle leaves nothing open", async () => {
  const reader = (await get()).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect(readdirSync(dataDir)).toEqual([]);
});

it("X11: what a killed server left of a backup is removed by the next one", async () => {
  const [old, fresh] = [
    "backup-00000000-0000-4000-8000-000000000001.tmp",
    "backup-00000000-0000-4000-8000-000000000002.tmp.part",
  ];
  for (const name of [old, fresh]) writeFileSync(path.join(dataDir, name), "");
  utimesSync(path.join(dataDir, old), 1, 1);
  await (await get()).arrayBuffer();
  expect(readdirSync(dataDir)).toEqual([fresh]);
  rmSync(path.join(dataDir, fresh));
});

it("X11: is for administrators, and asks nothing of the database for its headers alone", async () => {
  useSettings({ DATA_DIR: dataDir, AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" });
  expect((await get()).status).toBe(401);
  const count = await AuditEventModel.countDocuments();
  const headers = { "BASIC-AUTH-PASSWORD": "open sesame" };
  expect((await backup.HEAD(aRequest("/api/v1/backup", { method: "HEAD", headers }))).status).toBe(200);
  expect(await AuditEventModel.countDocuments()).toBe(count);
});
