import { X509Certificate } from "node:crypto";
import { md, pki } from "node-forge";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renewModuleCertificates } from "@/lib/certificates/app/renewal";
import { certificateWorker, WorkerTaskError } from "@/lib/certificates/worker/worker-client";
import { readRevision } from "@/lib/platform/db/revision";
import { silentReport } from "@/lib/platform/process/task-report";
import type { RecordStatus } from "@/lib/vocabulary/terms";
import { AuditEventModel } from "@/models/audit-event";
import { ModuleConfigModel } from "@/models/module-config";
import { useAuthority } from "@/test/support/authority";
import { emptyDatabase, testContext, withDatabase } from "@/test/support/database";
import { useSettings } from "@/test/support/settings";
import { store, storeModuleConfig } from "@/test/support/stored-records";
import { withTestAuthority } from "@/test/support/with-authority";

withDatabase();

const env = { PRIVATE_KEY_BITSIZE: "1024" };
const { authority, pair } = withTestAuthority();
beforeEach(() => useAuthority(authority, env));
afterEach(async () => {
  vi.restoreAllMocks();
  await emptyDatabase();
});

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
const renew = () => renewModuleCertificates(testContext, silentReport);
const find = (id: number) => ModuleConfigModel.findById(id).lean();
const storeConfig = (status: RecordStatus, values = {}) => store((tx) => storeModuleConfig(tx, status, values));
const ending = (hours: number) => ({ ...pair, expirationTs: inHours(hours) });

function onceIssued(work: () => Promise<unknown>): void {
  const worker = certificateWorker();
  const run = worker.run.bind(worker);
  vi.spyOn(worker, "run").mockImplementationOnce(async (name, input) => {
    const output = await run(name, input);
    await work();
    return output;
  });
}

describe("renewal of the module config certificate (directory.md 9.3)", () => {
  it("gives a fresh installation a key and a certificate", async () => {
    useAuthority(authority, { PRIVATE_KEY_BITSIZE: "2048", CERTIFICATE_DAYS: "9", CERTIFICATE_COUNTRY: "DE" });
    const id = await storeConfig("STAGING");
    expect(await renew()).toBe(1);
    const config = await find(id);
    const certificate = new X509Certificate(config?.certificate ?? "");
    expect(certificate.subject.split("\n")).toEqual(["C=DE", "CN=policy.example.com"]);
    expect(authority.openssl(["rsa", "-pubout"], config?.privateKey ?? "")).toBe(
      certificate.publicKey.export({ type: "spki", format: "pem" }),
    );
    expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(config?.expirationTs).toEqual(new Date(certificate.validTo));
    expect(Math.abs(Date.parse(certificate.validTo) - inHours(9 * 24).getTime())).toBeLessThan(60_000);
    const [event] = await AuditEventModel.find({ action: "module.renew" }).lean();
    expect(event).toMatchObject({
      target: "module_config",
      before: { id, expiration_ts: null },
      after: { id, expiration_ts: config?.expirationTs?.toISOString() },
    });
    expect(JSON.stringify(event)).not.toContain("BEGIN");
  });

  it("renews the newest record of each status in place with its key, and nothing else", async () => {
    const past = new Date(Date.now() - 5_000);
    const oldStaging = await storeConfig("STAGING", ending(1));
    const staging = await storeConfig("STAGING", { ...ending(23.99), createdAt: past, updatedAt: past });
    const oldProduction = await storeConfig("PRODUCTION", ending(-5));
    const production = await storeConfig("PRODUCTION", ending(-1));
    const before = { staging: await find(staging), old: [await find(oldStaging), await find(oldProduction)] };
    const revision = await readRevision();
    expect(await renew()).toBe(2);
    expect(await readRevision()).toBe(revision + 2);
    for (const id of [staging, production]) {
      const config = await find(id);
      expect(config?.privateKey).toBe(pair.privateKey);
      expect(config?.certificate).not.toBe(pair.certificate);
      expect(config?.expirationTs?.getTime()).toBeGreaterThan(inHours(24).getTime());
    }
    const after = await find(staging);
    expect(after?.updatedAt.getTime()).toBeGreaterThan(past.getTime());
    const { certificate, expirationTs, updatedAt } = after ?? {};
    expect({ ...before.staging, certificate, expirationTs, updatedAt }).toEqual(after);
    expect([await find(oldStaging), await find(oldProduction)]).toEqual(before.old);
    expect(await ModuleConfigModel.countDocuments()).toBe(4);
  });

  it("finding G2: renews what was made while the clock ran ahead and is not valid yet", async () => {
    const key = pki.privateKeyFromPem(pair.privateKey);
    const made = pki.createCertificate();
    made.publicKey = pki.setRsaPublicKey(key.n, key.e);
    made.serialNumber = "01";
    made.setSubject([{ name: "commonName", value: "ahead" }]);
    made.setIssuer([{ name: "commonName", value: "ahead" }]);
    made.validity = { notBefore: inHours(365 * 24), notAfter: inHours(372 * 24) };
    made.sign(key, md.sha256.create());
    const certificate = pki.certificateToPem(made);
    const id = await storeConfig("STAGING", { ...pair, certificate, expirationTs: inHours(372 * 24) });
    expect(await renew()).toBe(1);
    const config = await find(id);
    expect(Date.parse(new X509Certificate(config?.certificate ?? "").validFrom)).toBeLessThanOrEqual(Date.now());
    expect(config?.privateKey).toBe(pair.privateKey);
    expect(await renew()).toBe(0);
  });

  it("makes a new key when the stored one cannot be read", async () => {
    const id = await storeConfig("STAGING", { certificate: "x", privateKey: "nonsense", expirationTs: null });
    expect(await renew()).toBe(1);
    expect((await find(id))?.privateKey).toMatch(/^-----BEGIN RSA PRIVATE KEY/);
  });

  it("does nothing while generation is off, or without a module config", async () => {
    expect(await renew()).toBe(0);
    const id = await storeConfig("STAGING");
    useSettings();
    expect(await renew()).toBe(0);
    expect((await find(id))?.certificate).toBeNull();
  });

  it("renews the newer record when an administrator saves one meanwhile", async () => {
    const old = await storeConfig("STAGING", ending(1));
    let newer = 0;
    onceIssued(async () => {
      newer = await storeConfig("STAGING");
    });
    expect(await renew()).toBe(1);
    expect((await find(old))?.certificate).toBe(pair.certificate);
    expect((await find(newer))?.certificate).toMatch(/^-----BEGIN CERTIFICATE/);
  });

  it("never overwrites a certificate that was stored meanwhile", async () => {
    const other = authority.aPair();
    const id = await storeConfig("STAGING", ending(1));
    const expirationTs = inHours(100);
    onceIssued(() => ModuleConfigModel.updateOne({ _id: id }, { $set: { ...other, expirationTs } }));
    const revision = await readRevision();
    expect(await renew()).toBe(0);
    expect(await find(id)).toMatchObject({ ...other, expirationTs });
    expect(await readRevision()).toBe(revision);
  });

  it("gives up on a record that changes again and again", async () => {
    const id = await storeConfig("STAGING");
    const worker = certificateWorker();
    const run = worker.run.bind(worker);
    let round = 0;
    vi.spyOn(worker, "run").mockImplementation(async (name, input) => {
      const output = await run(name, input);
      await ModuleConfigModel.updateOne({ _id: id }, { $set: { certificate: `other ${(round += 1)}` } });
      return output;
    });
    await expect(renew()).rejects.toThrow("kept changing");
    expect((await find(id))?.certificate).toBe(`other ${round}`);
  });

  it("S5: renews one status when the other one fails, and reports the failure", async () => {
    const staging = await storeConfig("STAGING");
    const production = await storeConfig("PRODUCTION");
    vi.spyOn(certificateWorker(), "run").mockRejectedValueOnce(new WorkerTaskError("failed", "made to fail"));
    await expect(renew()).rejects.toThrow("made to fail");
    expect([await find(staging), await find(production)].filter((config) => config?.certificate)).toHaveLength(1);
    expect(await renew()).toBe(1);
  });
});
