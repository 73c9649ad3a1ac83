import { createHash, createPublicKey, X509Certificate } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import * as applicationsRoute from "@/app/api/v1/applications/route";
import * as moduleRoute from "@/app/api/v1/module/route";
import * as certificateRoute from "@/app/api/v1/security/certificate/route";
import * as privateRoute from "@/app/api/v1/security/private/route";
import { issueFirstCertificate } from "@/lib/certificates/app/app-container";
import { isAuthorityValid } from "@/lib/certificates/generation";
import { renewModuleCertificates } from "@/lib/certificates/app/renewal";
import { readRevision } from "@/lib/platform/db/revision";
import { silentReport } from "@/lib/platform/process/task-report";
import { loadSettings } from "@/lib/platform/settings";
import { AuditEventModel } from "@/models/audit-event";
import { storeApp } from "@/test/support/applications";
import { createTestAuthority, useAuthority, type TestAuthority } from "@/test/support/authority";
import { testContext, withEmptyDatabase } from "@/test/support/database";
import { aRequest } from "@/test/support/requests";
import { store, storeModuleConfig } from "@/test/support/stored-records";
import { withTestAuthority } from "@/test/support/with-authority";

withEmptyDatabase();

const env = { PRIVATE_KEY_BITSIZE: "1024", CERTIFICATE_COUNTRY: "DE" };
const day = 86_400_000;
const { authority, pair } = withTestAuthority();
beforeEach(() => useAuthority(authority, env));

const fingerprint = (pem: string) =>
  createHash("sha256")
    .update(createPublicKey(pem).export({ type: "spki", format: "der" }))
    .digest("hex");
const findEvents = (action: string) => AuditEventModel.find({ action }).sort({ _id: 1 }).lean();

async function issue(options: Record<string, unknown>) {
  const response = await certificateRoute.POST(aRequest("/api/v1/security/certificate", { body: { options } }));
  const { meta, data }: any = await response.json();
  return { status: response.status, message: meta.message, data };
}

describe("finding B6: what is done with keys is in the audit trail", () => {
  it("6.4: tells subject, serial number, days and key of a certificate that was signed, and never the key", async () => {
    const before = await readRevision();
    const { data } = await issue({ clientKey: pair.privateKey, days: 3, serialNumber: "app-7" });
    const certificate = new X509Certificate(data.certificate);
    const [event] = await findEvents("certificate.issue");
    expect(event).toMatchObject({
      actor: "admin",
      route: "POST /api/v1/security/certificate",
      after: {
        subject: "countryName=DE, commonName=policy.example.com, serialNumber=app-7",
        serial: certificate.serialNumber.toLowerCase(),
        days: 3,
        ends: new Date(certificate.validTo).toISOString(),
        key_fingerprint: fingerprint(pair.privateKey),
      },
    });
    expect(JSON.stringify(event)).not.toMatch(/PRIVATE|BEGIN/);
    expect(await readRevision()).toBe(before);
  });

  it("6.3: tells that a private key was made, and which", async () => {
    const response = await privateRoute.POST(aRequest("/api/v1/security/private", { method: "POST" }));
    const { data }: any = await response.json();
    expect(await findEvents("private-key.create")).toMatchObject([{ after: { key_fingerprint: fingerprint(data) } }]);
  });

  it("names certificates of apps and of the module config that were made by themselves", async () => {
    await storeApp("app-1");
    await issueFirstCertificate("app-1", testContext);
    await store((tx) => storeModuleConfig(tx, "STAGING"));
    await renewModuleCertificates(testContext, silentReport);
    const issued = { serial: expect.stringMatching(/^[0-9a-f]{32}$/), days: 7, key_fingerprint: expect.any(String) };
    expect(await findEvents("app-certificate.save")).toMatchObject([{ target: "app:app-1", after: issued }]);
    expect(await findEvents("module.renew")).toMatchObject([{ target: "module_config", after: { issued } }]);
  });

  it("tells who was given a stored private key: of an app (3.1) and of the module config (13.1)", async () => {
    await storeApp("app-1");
    await issueFirstCertificate("app-1", testContext);
    await store((tx) => storeModuleConfig(tx, "STAGING", { ...pair, expirationTs: new Date(Date.now() + 7 * day) }));
    await (await applicationsRoute.GET(aRequest("/api/v1/applications"))).text();
    expect(await findEvents("private-key.read")).toEqual([]);
    const headers = { "x-display-name": "Ada" };
    const response = await applicationsRoute.GET(aRequest("/api/v1/applications?uuid=app-1", { headers }));
    const { data }: any = await response.json();
    await moduleRoute.GET(aRequest("/api/v1/module?environment=staging", { headers }));
    expect(await findEvents("private-key.read")).toMatchObject([
      {
        target: "app:app-1",
        displayName: "Ada",
        after: { key_fingerprint: fingerprint(data.applications[0].private_key) },
      },
      { target: "module_config", displayName: "Ada", after: { key_fingerprint: fingerprint(pair.privateKey) } },
    ]);
  });
});

describe("finding B6: a certificate never outlives its authority", () => {
  let short: TestAuthority;
  beforeEach(() => {
    short = createTestAuthority();
  });
  const inDays = (days: number) => new Date(Math.floor((Date.now() + days * day) / 1000) * 1000);

  it("ends with the authority's certificate, and the answer says so", async () => {
    const end = inDays(10.5);
    short.setValidity(inDays(-1), end);
    useAuthority(short, env);
    const { status, message, data } = await issue({ clientKey: pair.privateKey, days: 3650 });
    expect(status).toBe(200);
    expect(new Date(new X509Certificate(data.certificate).validTo)).toEqual(end);
    expect(message).toContain(end.toISOString().slice(0, 10));
    expect((await issue({ clientKey: pair.privateKey, days: 10 })).message).toBeNull();
    await storeApp("app-1");
    useAuthority(short, { ...env, CERTIFICATE_DAYS: "365" });
    await issueFirstCertificate("app-1", testContext);
    expect(await findEvents("app-certificate.save")).toMatchObject([{ after: { ends: end.toISOString() } }]);
  });

  it.each([
    ["has expired", -20, -1],
    ["is not valid yet", 1, 20],
  ])("is refused when the authority's certificate %s", async (words, from, to) => {
    short.setValidity(inDays(from), inDays(to));
    useAuthority(short, env);
    const { status, message } = await issue({ clientKey: pair.privateKey, days: 3 });
    expect({ status, message }).toEqual({
      status: 400,
      message: `The certificate authority's certificate ${words}`,
    });
    expect(await AuditEventModel.countDocuments()).toBe(0);
  });

  it("9.4: an authority that has expired cannot be used; one that is replaced on the disk can, without a restart", async () => {
    short.setValidity(inDays(-20), inDays(-1));
    useAuthority(short, env);
    expect(await isAuthorityValid(loadSettings().certificateGeneration)).toBe(false);
    short.setValidity(inDays(-1), inDays(20));
    expect(await isAuthorityValid(loadSettings().certificateGeneration)).toBe(true);
    expect((await issue({ clientKey: pair.privateKey, days: 3 })).status).toBe(200);
  });
});
