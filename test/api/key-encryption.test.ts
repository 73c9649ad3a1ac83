/** Private keys at rest (`settings.md` section 7, `KEY_ENCRYPTION_KEY`). */
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import * as moduleRoute from "@/app/api/v1/module/route";
import * as promoteRoute from "@/app/api/v1/module/promote/route";
import { isSealedKey, openPrivateKey, sealPrivateKey } from "@/lib/certificates/key-at-rest";
import { renewModuleCertificates } from "@/lib/certificates/app/renewal";
import { silentReport } from "@/lib/platform/process/task-report";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { buildPolicyOptions } from "@/lib/policy/policy-options";
import { loadSnapshotFile, saveSnapshotFile } from "@/lib/policy/saved/snapshot-file";
import { sealStoredKeys } from "@/lib/records/module-config/seal-stored-keys";
import { loadSettings } from "@/lib/platform/settings";
import { AuditEventModel } from "@/models/audit-event";
import { ModuleConfigModel } from "@/models/module-config";
import { useAuthority } from "@/test/support/authority";
import { testContext, withEmptyDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";
import { store, storeModuleConfig } from "@/test/support/stored-records";
import { withTestAuthority } from "@/test/support/with-authority";
import { temporaryFolder } from "@/test/support/temporary-folder";

withEmptyDatabase();

const key = Buffer.alloc(32, 7);
const env = { PRIVATE_KEY_BITSIZE: "1024", KEY_ENCRYPTION_KEY: key.toString("base64") };
const { authority, pair } = withTestAuthority();
beforeEach(() => useAuthority(authority, env));

/** Behind the numbers that certificates hold as well. */
const keyLines = () => pair.privateKey.trim().split(/\r?\n/).slice(-4, -1);
const storedKeys = async () => (await ModuleConfigModel.find().sort({ _id: 1 }).lean()).map((one) => one.privateKey);
const show = async (environment: string) =>
  (await readAnswer(await moduleRoute.GET(aRequest(`/api/v1/module?environment=${environment}`)))).data
    .module_configs[0];
const loadSnapshot = () => createSnapshotLoader({ report: () => undefined }).load();
/** Certificates are given in PEM here. */
const neverPack = () => Promise.reject(new Error("nothing is to be packed"));
const ending = { expirationTs: new Date(Date.now() + 30 * 86_400_000) };

it("finding B11: a save stores the key encrypted; vehicles and administrators get it readable", async () => {
  await store((tx) => storeModuleConfig(tx, "PRODUCTION"));
  const body = { ...(await show("production")), certificate: pair.certificate, private_key: pair.privateKey };
  expect((await moduleRoute.POST(aRequest("/api/v1/module", { body }))).status).toBe(200);
  expect((await promoteRoute.POST(aRequest("/api/v1/module/promote", { method: "POST" }))).status).toBe(200);
  const [, saved = null, promoted = null] = await storedKeys();
  for (const stored of [saved, promoted]) expect(isSealedKey(stored ?? "")).toBe(true);
  expect(openPrivateKey(saved)).toBe(pair.privateKey);
  expect((await show("staging")).private_key).toBe(pair.privateKey);
  expect((await show("production")).private_key).toBe(pair.privateKey);
  const { certificates } = await buildPolicyOptions(await loadSnapshot(), loadSettings(), neverPack);
  expect(certificates.production).toBe(`${pair.certificate}\n${pair.privateKey}`);
});

it("finding B11: keeping the certificate keeps the stored key, even when it cannot be read", async () => {
  const foreign = sealPrivateKey(pair.privateKey, Buffer.alloc(32, 8))!;
  await store((tx) => storeModuleConfig(tx, "PRODUCTION", { ...pair, ...ending, privateKey: foreign }));
  const shown = await show("production");
  expect([shown.certificate, shown.private_key]).toEqual([pair.certificate, null]);
  const body = { ...shown, keep_certificate: true };
  expect((await moduleRoute.POST(aRequest("/api/v1/module", { body }))).status).toBe(200);
  expect((await storedKeys())[1]).toBe(foreign);
  // Left out of the table, not sent in another form: head units then keep the one they have.
  expect(
    (await buildPolicyOptions(await loadSnapshot(), loadSettings(), neverPack)).certificates.production,
  ).toBeNull();
});

it("finding B11: a renewal reads the encrypted key, and stores it encrypted", async () => {
  const expirationTs = new Date(Date.now() + 3_600_000);
  const privateKey = sealPrivateKey(pair.privateKey, key)!;
  await store((tx) => storeModuleConfig(tx, "PRODUCTION", { ...pair, privateKey, expirationTs }));
  expect(await renewModuleCertificates(testContext, silentReport)).toBe(1);
  const [renewed = null] = await storedKeys();
  expect(isSealedKey(renewed ?? "")).toBe(true);
  expect(openPrivateKey(renewed)).toBe(pair.privateKey);
});

it("finding B11: keys stored before are encrypted once, with an audit event and without a new record", async () => {
  await store((tx) => storeModuleConfig(tx, "PRODUCTION", { ...pair, ...ending }));
  await store((tx) => storeModuleConfig(tx, "STAGING"));
  const before = await loadSnapshot();
  expect(await sealStoredKeys(key)).toBe(1);
  expect(await sealStoredKeys(key)).toBe(0);
  const [sealed = null, none] = await storedKeys();
  expect(openPrivateKey(sealed)).toBe(pair.privateKey);
  expect(none).toBeNull();
  const [event] = await AuditEventModel.find({ action: "module.seal" }).lean();
  expect(JSON.stringify(event)).not.toContain(keyLines()[0]);
  expect((await loadSnapshot()).revision).toBeGreaterThan(before.revision);
});

it("finding B11: the policy kept on disk holds no readable key", async () => {
  const folder = temporaryFolder();
  await store((tx) => storeModuleConfig(tx, "PRODUCTION", { ...pair, ...ending }));
  await sealStoredKeys(key);
  await saveSnapshotFile(folder, await loadSnapshot());
  const text = readFileSync(path.join(folder, "policy-snapshot.json"), "utf8");
  for (const line of keyLines()) expect(text).not.toContain(line);
  const loaded = await loadSnapshotFile(folder);
  if (loaded === null) throw new Error("no snapshot");
  const { certificates } = await buildPolicyOptions(loaded, loadSettings(), neverPack);
  expect(certificates.production).toBe(`${pair.certificate}\n${pair.privateKey}`);
});
