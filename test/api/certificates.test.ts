import { X509Certificate } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as getRoute from "@/app/api/v1/applications/certificate/get/route";
import * as storeRoute from "@/app/api/v1/applications/certificate/route";
import { createCertificate } from "@/lib/certificates/commands";
import { certificateWorker } from "@/lib/certificates/worker/worker-client";
import { openPkcs12 } from "@/lib/certificates/worker/pkcs12";
import { issueFirstCertificate } from "@/lib/certificates/app/app-container";
import { readRevision } from "@/lib/platform/db/revision";
import { AppCertificateModel } from "@/models/app-certificate";
import { AuditEventModel } from "@/models/audit-event";
import { send } from "@/test/support/applications";
import { testPassphrase, useAuthority } from "@/test/support/authority";
import { emptyDatabase, testContext, withDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";
import { useSettings } from "@/test/support/settings";
import { store, storeAppVersion } from "@/test/support/stored-records";
import { withTestAuthority } from "@/test/support/with-authority";

withDatabase();

const uuid = "9F6A3C1E-aaaa-4bbb-8ccc-00000000000A";
const shortId = "9F6A3C1Eaa";
const { authority, pair } = withTestAuthority();
beforeEach(async () => {
  useAuthority(authority);
  await store((tx) => storeAppVersion(tx, uuid, "PENDING"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await emptyDatabase();
});

const save = (body: unknown) => send(storeRoute.POST, body);
const saveOptions = (partial: Record<string, unknown> = {}) =>
  save({ options: { app_uuid: uuid, clientKey: pair.privateKey, certificate: pair.certificate, ...partial } });

async function fetchContainer(query: string, body?: unknown) {
  const request = aRequest(`/api/v1/applications/certificate/get${query}`, { body });
  const response = await (body === undefined ? getRoute.GET : getRoute.POST)(request);
  const { meta, data } = await readAnswer(response);
  return { status: meta.code, message: meta.message, cache: response.headers.get("cache-control"), data };
}

function open(container: string, passphrase = testPassphrase): string {
  expect(container).toMatch(/^[A-Za-z0-9+/]+=*$/);
  writeFileSync(path.join(authority.folder, "app.p12"), Buffer.from(container, "base64"));
  return authority.openssl(["pkcs12", "-in", "app.p12", "-passin", `pass:${passphrase}`, "-nodes"]);
}

describe("POST /applications/certificate (6.2)", () => {
  it("stores a container that opens with the passphrase, and the expiry", async () => {
    const before = await readRevision();
    expect(await saveOptions()).toMatchObject({ status: 200, data: {} });
    const stored = await AppCertificateModel.findById(uuid).lean();
    const end = authority.openssl(["x509", "-noout", "-enddate"], pair.certificate).replace("notAfter=", "").trim();
    expect(stored?.expirationTs).toEqual(new Date(end));
    const content = open(stored?.container ?? "");
    expect(authority.openssl(["x509"], content)).toBe(authority.openssl(["x509"], pair.certificate));
    expect(authority.openssl(["rsa"], content)).toBe(authority.openssl(["rsa"], pair.privateKey));
    expect(() => open(stored?.container ?? "", "wrong")).toThrow();
    // Vehicles are told nothing of it.
    expect(await readRevision()).toBe(before);
  });

  it("replaces what is stored", async () => {
    await saveOptions();
    const other = authority.aPair({ days: 20 });
    await saveOptions({ clientKey: other.privateKey, certificate: other.certificate });
    const [only, ...more] = await AppCertificateModel.find().lean();
    expect(more).toEqual([]);
    expect(authority.openssl(["x509"], open(only?.container ?? ""))).toBe(
      authority.openssl(["x509"], other.certificate),
    );
  });

  it("audits the app and nothing of the certificate's key", async () => {
    await saveOptions();
    const [event] = await AuditEventModel.find({ action: "app-certificate.save" }).lean();
    const certificate = new X509Certificate(pair.certificate);
    expect(event).toMatchObject({
      target: `app:${uuid}`,
      actor: "admin",
      before: null,
      after: { subject: certificate.subject, serial: certificate.serialNumber.toLowerCase() },
    });
    expect(JSON.stringify(event)).not.toContain(pair.privateKey.slice(100, 160));
  });

  it("refuses an unknown app, the short id, and another spelling of the uuid", async () => {
    for (const appUuid of ["unknown", shortId, uuid.toLowerCase(), "\u0000", "\ud800"]) {
      expect(await saveOptions({ app_uuid: appUuid })).toMatchObject({
        status: 400,
        message: "Unknown application",
      });
    }
  });

  it("refuses what cannot be read or does not belong together", async () => {
    const other = authority.aPair();
    const ec = authority.openssl(["ecparam", "-name", "prime256v1", "-genkey", "-noout"]);
    const locked = authority.openssl(["rsa", "-aes256", "-passout", "pass:x"], pair.privateKey);
    for (const partial of [
      { clientKey: "nonsense" },
      { certificate: "nonsense" },
      { clientKey: other.privateKey },
      { clientKey: ec },
      { clientKey: locked },
      { clientKey: pair.certificate },
      { certificate: `${pair.certificate.slice(0, 300)}\n-----END CERTIFICATE-----` },
      { certificate: `${pair.certificate}\u0000` },
    ]) {
      expect(await saveOptions(partial)).toMatchObject({
        status: 400,
        message: expect.stringContaining("both must be PEM, the key an unencrypted RSA key"),
      });
    }
    expect(await AppCertificateModel.countDocuments()).toBe(0);
  });

  it("refuses one of another app, says what head units may refuse, and keeps the chain", async () => {
    const issue = async (serialNumber: string) =>
      (await createCertificate({ clientKey: pair.privateKey, subject: { serialNumber }, days: 3 }, testContext))
        .certificate;
    await store((tx) => storeAppVersion(tx, "app-2", "PENDING"));
    for (const serialNumber of ["app-2", "nobody"])
      expect(await saveOptions({ certificate: await issue(serialNumber) })).toMatchObject({
        status: 400,
        message: `The certificate is one of another app: the serialNumber of its subject is ${serialNumber}`,
      });
    const own = await issue(shortId.toLowerCase());
    const chain = `${own}${readFileSync(authority.caCertificatePath, "utf8")}`;
    expect(await saveOptions({ certificate: chain })).toMatchObject({ status: 200, data: {} });
    const stored = await AppCertificateModel.findById(uuid).lean();
    expect(open(stored?.container ?? "").match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    expect(openPkcs12(stored?.container ?? "", testPassphrase).certificate).toBe(chain);
    const signed = await saveOptions({
      clientKey: readFileSync(authority.caPrivateKeyPath, "utf8"),
      certificate: readFileSync(authority.caCertificatePath, "utf8"),
    });
    expect(signed.data.notes).toEqual([
      expect.stringMatching(/no serialNumber, by which head units know the app$/),
      expect.stringMatching(/^No authority has signed the certificate/),
    ]);
  });

  it("refuses an expired certificate", async () => {
    const old = authority.aPair({ days: -1 });
    expect(await saveOptions({ clientKey: old.privateKey, certificate: old.certificate })).toMatchObject({
      status: 400,
      message: "The certificate has expired",
    });
  });
});

describe("GET and POST /applications/certificate/get (6.1)", () => {
  beforeEach(async () => {
    await saveOptions();
  });

  it("hands the container out to everybody who names the app, in any case, and lets nobody keep it", async () => {
    useAuthority(authority, { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "a password" });
    const stored = await AppCertificateModel.findById(uuid).lean();
    for (const id of [uuid, uuid.toLowerCase(), shortId, shortId.toUpperCase()]) {
      const answer = await fetchContainer(`?appId=${id}`);
      expect(answer).toMatchObject({ status: 200, cache: "no-store", data: { certificate: stored?.container } });
    }
    expect((await fetchContainer("", { AppId: uuid })).status).toBe(200);
  });

  it("takes body AppId, body appId, query AppId, query appId in this order; the first text that is not empty", async () => {
    const ok = async (query: string, body?: unknown) => (await fetchContainer(query, body)).status === 200;
    expect(await ok("?AppId=x&appId=x", { AppId: uuid, appId: "x" })).toBe(true);
    expect(await ok("?AppId=x&appId=x", { AppId: "", appId: uuid })).toBe(true);
    expect(await ok(`?AppId=${uuid}&appId=x`, { AppId: 5, appId: { $ne: "" } })).toBe(true);
    expect(await ok(`?AppId=&appId=${uuid}`)).toBe(true);
    expect(await ok(`?AppId=x&appId=${uuid}`)).toBe(false);
    expect(await ok(`?appId=${uuid}`, { AppId: "x" })).toBe(false);
  });

  it.each(["", "?AppId=&appId=", "?appid=x"])("wants an id (%j)", async (query) => {
    expect(await fetchContainer(query)).toMatchObject({ status: 400, message: "appId or AppId is required" });
  });

  it("has nothing for an unknown app", async () => {
    for (const id of ["unknown", "%00", "a.b", "$ne"]) {
      expect(await fetchContainer(`?appId=${id}`)).toMatchObject({
        status: 400,
        message: "No certificate is stored for this app",
      });
    }
  });

  it("X5: renews an expired one at once, with its key; without an authority it is refused with 400 (Δ14)", async () => {
    const expire = () =>
      AppCertificateModel.updateOne({ _id: uuid }, { $set: { expirationTs: new Date(Date.now() - 1) } });
    await expire();
    const renewed = await fetchContainer(`?appId=${uuid}`);
    expect(renewed.status).toBe(200);
    const { certificate, privateKey } = openPkcs12(renewed.data.certificate, testPassphrase);
    expect(new X509Certificate(certificate).subject).toContain(`serialNumber=${uuid}`);
    expect(authority.openssl(["rsa"], privateKey)).toBe(authority.openssl(["rsa"], pair.privateKey));
    await expire();
    vi.spyOn(certificateWorker(), "run").mockRejectedValue(new Error("no authority"));
    expect(await fetchContainer(`?appId=${uuid}`)).toMatchObject({
      status: 400,
      message: "The stored certificate has expired",
    });
  });

  it("gives the newest app of a shared short id", async () => {
    await store((tx) => storeAppVersion(tx, "9F6A3C1E-aaBB", "ACCEPTED"));
    const newest = (await fetchContainer(`?appId=${shortId}`)).data.certificate;
    expect(newest).toBe((await AppCertificateModel.findById("9F6A3C1E-aaBB").lean())?.container);
    expect((await fetchContainer(`?appId=${uuid}`)).data.certificate).not.toBe(newest);
  });
});

it("9.1: a new certificate is not stored for an app that is not", async () => {
  await issueFirstCertificate("unknown", testContext);
  expect(await AppCertificateModel.findById("unknown").lean()).toBeNull();
});

it("while generation is off: answers 400 on both routes", async () => {
  useSettings();
  const message = "Certificate generation is not configured";
  expect(await saveOptions()).toMatchObject({ status: 400, message });
  expect(await fetchContainer(`?appId=${uuid}`)).toMatchObject({ status: 400, message });
  expect(await fetchContainer("")).toMatchObject({ status: 400, message });
});
