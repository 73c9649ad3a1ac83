import { randomUUID, X509Certificate } from "node:crypto";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeAppContainer, saveAppContainer } from "@/lib/certificates/app/app-container";
import { readDueApps, renewAppCertificates } from "@/lib/certificates/app/renewal";
import { requireGeneration } from "@/lib/certificates/generation";
import { openPkcs12 } from "@/lib/certificates/worker/pkcs12";
import { certificateWorker, WorkerTaskError } from "@/lib/certificates/worker/worker-client";
import { readRevision } from "@/lib/platform/db/revision";
import { silentReport, type TaskReport } from "@/lib/platform/process/task-report";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationModel } from "@/models/application";
import { setFlags, storeApp } from "@/test/support/applications";
import { testPassphrase, useAuthority } from "@/test/support/authority";
import { emptyDatabase, testContext, withDatabase } from "@/test/support/database";
import { useSettings } from "@/test/support/settings";
import { store } from "@/test/support/stored-records";
import { withTestAuthority } from "@/test/support/with-authority";

withDatabase();

const hour = 3_600_000;
const env = { PRIVATE_KEY_BITSIZE: "1024" };
const { authority } = withTestAuthority();
beforeEach(() => useAuthority(authority, env));
afterEach(async () => {
  vi.restoreAllMocks();
  await emptyDatabase();
});

const renew = (options = {}) => renewAppCertificates(testContext, silentReport, { restShare: 0, ...options });
const findStored = (uuid: string) => AppCertificateModel.findById(uuid).lean();
const inHours = (hours: number) => new Date(Date.now() + hours * hour);

async function openStored(uuid: string) {
  const stored = await findStored(uuid);
  const { certificate, privateKey } = openPkcs12(stored?.container ?? "", testPassphrase);
  return { stored, certificate: new X509Certificate(certificate), privateKey };
}

async function storeContainer(uuid: string, hours: number): Promise<string> {
  const made = await makeAppContainer(requireGeneration(), uuid);
  await saveAppContainer(uuid, { ...made, expiresAt: inHours(hours) }, testContext);
  return made.container;
}

describe("renewal of app certificates (directory.md 9.2)", () => {
  it("X1: renews what is missing or ends in less than 24 hours, of apps that have a version", async () => {
    for (const uuid of ["none", "ended", "ending", "valid"]) await storeApp(uuid);
    await storeContainer("ended", -1);
    await storeContainer("ending", 23.99);
    const valid = await storeContainer("valid", 24.01);
    const old = { _id: "deleted", container: "old", expirationTs: inHours(-1), createdAt: new Date() };
    await AppCertificateModel.insertMany([old]);
    expect(await renew()).toEqual({ renewed: 3, failed: 0 });
    for (const uuid of ["none", "ended", "ending"]) {
      expect((await openStored(uuid)).certificate.subject).toContain(`serialNumber=${uuid}`);
      expect((await findStored(uuid))?.expirationTs.getTime()).toBeGreaterThan(inHours(6.9 * 24).getTime());
    }
    expect((await findStored("valid"))?.container).toBe(valid);
    expect((await findStored("deleted"))?.container).toBe("old");
    expect(await renew()).toEqual({ renewed: 0, failed: 0 });
  });

  it("X2: keeps the key of a bundle that opens", async () => {
    await storeApp("app");
    const { privateKey } = openPkcs12(await storeContainer("app", 1), testPassphrase);
    await renew();
    const renewed = await openStored("app");
    expect(authority.openssl(["rsa"], renewed.privateKey)).toBe(authority.openssl(["rsa"], privateKey));
  });

  it("X2: makes a new key for a bundle that is damaged or locked with another passphrase", async () => {
    useAuthority(authority, { ...env, CERTIFICATE_PASSPHRASE: "an older one" });
    for (const uuid of ["damaged", "locked", "nonsense"]) await storeApp(uuid);
    const locked = await storeContainer("locked", 1);
    useAuthority(authority, env);
    const whole = await storeContainer("damaged", 1);
    await AppCertificateModel.updateOne({ _id: "damaged" }, { $set: { container: whole.slice(0, -200) } });
    const nonsense = { _id: "nonsense", container: "%%%", expirationTs: inHours(1), createdAt: new Date() };
    await AppCertificateModel.insertMany([nonsense]);
    expect(await renew()).toEqual({ renewed: 3, failed: 0 });
    for (const uuid of ["damaged", "locked", "nonsense"]) await openStored(uuid);
    const keyOf = (container: string, passphrase: string) => openPkcs12(container, passphrase).privateKey;
    expect((await openStored("locked")).privateKey).not.toBe(keyOf(locked, "an older one"));
    expect((await openStored("damaged")).privateKey).not.toBe(keyOf(whole, testPassphrase));
  });

  it("X2: a worker that fails says nothing about the bundle, whose key stays", async () => {
    await storeApp("app");
    const container = await storeContainer("app", 1);
    const ended = new WorkerTaskError("failed", "the certificate worker ended");
    vi.spyOn(certificateWorker(), "run").mockResolvedValueOnce(true).mockRejectedValue(ended);
    expect(await renew()).toEqual({ renewed: 0, failed: 1 });
    expect((await findStored("app"))?.container).toBe(container);
  });

  it("X3: goes on after an app that fails", async () => {
    for (const uuid of ["a", "b", "c", "d", "e", "f"]) await storeApp(uuid);
    const worker = certificateWorker();
    const run = worker.run.bind(worker);
    vi.spyOn(worker, "run").mockImplementation((name, input) => {
      const isOf = (uuid: string) => "subject" in input && input.subject.some(({ value }) => value === uuid);
      return isOf("b") ? Promise.reject(new WorkerTaskError("failed", "made to fail")) : run(name, input);
    });
    expect(await renew()).toEqual({ renewed: 5, failed: 1 });
    expect(await findStored("b")).toBeNull();
    vi.restoreAllMocks();
    expect(await renew()).toEqual({ renewed: 1, failed: 0 });
  });

  it("X3: works on at most 4 apps at once", async () => {
    for (let number = 1; number <= 10; number += 1) await storeApp(`app-${number}`);
    const worker = certificateWorker();
    const run = worker.run.bind(worker);
    let under = 0;
    let max = 0;
    vi.spyOn(worker, "run").mockImplementation(async (name, input) => {
      const isIssue = name === "issue";
      if (isIssue) under += 1;
      max = Math.max(max, under);
      // Held, so that all that can be on their way arrive.
      if (isIssue) await setTimeout(200);
      const output = await run(name, input);
      if (isIssue) under -= 1;
      return output;
    });
    expect(await renew()).toEqual({ renewed: 10, failed: 0 });
    expect(max).toBeGreaterThan(1);
    expect(max).toBeLessThanOrEqual(4);
  });

  it("X4: renews blacklisted apps like all others", async () => {
    await storeApp("app");
    await setFlags("app", { isBlacklisted: true });
    expect(await renew()).toEqual({ renewed: 1, failed: 0 });
    await openStored("app");
  });

  it("9.1: what is stored reads back as it should", async () => {
    const uuid = randomUUID();
    await storeApp(uuid);
    const days = { CERTIFICATE_DAYS: "3", CERTIFICATE_HASH: "sha384", CERTIFICATE_COUNTRY: "DE" };
    useAuthority(authority, { ...days, PRIVATE_KEY_BITSIZE: "2048" });
    const before = Date.now();
    const revision = await readRevision();
    await renew();
    const { stored, certificate, privateKey } = await openStored(uuid);
    expect(certificate.subject.split("\n")).toEqual(["C=DE", "CN=policy.example.com", `serialNumber=${uuid}`]);
    expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(authority.openssl(["rsa", "-pubout"], privateKey)).toBe(
      certificate.publicKey.export({ type: "spki", format: "pem" }),
    );
    const text = authority.openssl(["x509", "-noout", "-text"], certificate.toString());
    expect(text).toContain("Signature Algorithm: sha384WithRSAEncryption");
    expect(certificate.serialNumber).toMatch(/^[1-7][0-9A-F]{15,}$/);
    const ca = new X509Certificate(authority.openssl(["x509", "-in", path.join(authority.folder, "ca.crt")]));
    expect(certificate.verify(ca.publicKey)).toBe(true);
    expect(stored?.expirationTs).toEqual(new Date(certificate.validTo));
    const from = Date.parse(certificate.validFrom);
    expect(Date.parse(certificate.validTo) - from).toBe(3 * 24 * hour);
    expect(from).toBeGreaterThanOrEqual(before - 1000);
    expect(stored?.createdAt.getTime()).toBeGreaterThanOrEqual(before);
    // Vehicles are told nothing of it.
    expect(await readRevision()).toBe(revision);
  });

  it("leaves a certificate alone that an administrator stored meanwhile, and an app that was deleted meanwhile", async () => {
    await storeApp("replaced");
    await storeApp("deleted");
    await storeContainer("replaced", 1);
    const other = await makeAppContainer(requireGeneration(), "replaced");
    const worker = certificateWorker();
    const run = worker.run.bind(worker);
    vi.spyOn(worker, "run").mockImplementation(async (name, input) => {
      const output = await run(name, input);
      if (name === "container") {
        await saveAppContainer("replaced", other, testContext);
        await store(({ session }) => ApplicationModel.deleteMany({ uuid: "deleted" }, { session }));
      }
      return output;
    });
    expect(await renew()).toEqual({ renewed: 0, failed: 0 });
    expect((await findStored("replaced"))?.container).toBe(other.container);
    expect(await findStored("deleted")).toBeNull();
  });

  it("can be stopped, and the next run takes up what is left", async () => {
    for (let number = 1; number <= 9; number += 1) await storeApp(`app-${number}`);
    const stop = new AbortController();
    const progress: (readonly [number, number | null])[] = [];
    const report: TaskReport = {
      phase: () => undefined,
      progress: (done, total) => {
        progress.push([done, total]);
        if (done > 0) stop.abort();
      },
    };
    // A long rest does not hold the stop up.
    const options = { signal: stop.signal, restShare: 1e5 };
    expect(await renewAppCertificates(testContext, report, options)).toEqual({ renewed: 4, failed: 0 });
    expect(progress).toEqual([
      [0, 9],
      [4, 9],
    ]);
    expect(await renew()).toEqual({ renewed: 5, failed: 0 });
  });

  it("does nothing while generation is off", async () => {
    await storeApp("app");
    useSettings();
    expect(await renew()).toEqual({ renewed: 0, failed: 0 });
    expect(await findStored("app")).toBeNull();
  });

  it("fails as a whole, before any key is made, when the authority cannot be used", async () => {
    await storeApp("app");
    useAuthority({ ...authority, caPrivateKeyPath: path.join(authority.folder, "gone.key") }, env);
    const failure = await renew().catch((error: unknown) => error);
    expect(String(failure)).toContain("The certificate authority cannot be used");
    expect(String(failure)).not.toContain("gone.key");
  });
});

it("X1: looking for apps whose certificate ends goes through any number of apps and versions, page by page", async () => {
  const version = (id: number, uuid: string) => ({
    _id: id,
    uuid,
    shortUuid: "short",
    uuidKey: uuid,
    shortKey: "short",
    versionId: id,
    isLatest: true,
    name: "App",
    platform: "ANDROID",
    status: "PRODUCTION",
    approvalStatus: "PENDING",
    defaultHmiLevel: "HMI_NONE",
    createdAt: new Date(),
    updatedAt: new Date(),
    storedAt: new Date(),
  });
  const uuids = Array.from({ length: 1100 }, (_, index) => `app-${String(index).padStart(4, "0")}`);
  const many = Array.from({ length: 700 }, (_, index) => version(5000 + index, "app-0500-versions"));
  await ApplicationModel.insertMany([...uuids.map((uuid, index) => version(index + 1, uuid)), ...many]);
  const valid = uuids.filter((_, index) => index % 100 !== 7);
  const certificates = valid.map((_id) => ({
    _id,
    container: "x",
    expirationTs: inHours(48),
    createdAt: new Date(),
  }));
  await AppCertificateModel.insertMany(certificates);
  const found: string[] = [];
  for await (const page of readDueApps()) {
    expect(page.length).toBeLessThanOrEqual(500);
    found.push(...page);
  }
  expect(found).toEqual([...uuids.filter((uuid) => !valid.includes(uuid)), "app-0500-versions"].toSorted());
});
