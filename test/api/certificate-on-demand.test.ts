import { X509Certificate } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as getRoute from "@/app/api/v1/applications/certificate/get/route";
import { forgetContainerRequests } from "@/lib/certificates/app/container-access";
import { openPkcs12 } from "@/lib/certificates/worker/pkcs12";
import { renewAppCertificates } from "@/lib/certificates/app/renewal";
import { certificateWorker } from "@/lib/certificates/worker/worker-client";
import { silentReport } from "@/lib/platform/process/task-report";
import { believeClientHeaders, clientAddressHeader } from "@/lib/platform/http/read/client-address";
import { log } from "@/lib/platform/log";
import { AppCertificateModel } from "@/models/app-certificate";
import { AuditEventModel } from "@/models/audit-event";
import { storeApp } from "@/test/support/applications";
import { testPassphrase, useAuthority } from "@/test/support/authority";
import { emptyDatabase, testContext, withDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";
import { withTestAuthority } from "@/test/support/with-authority";

withDatabase();

const env = { PRIVATE_KEY_BITSIZE: "1024" };
const { authority } = withTestAuthority();
beforeEach(() => {
  useAuthority(authority, env);
  believeClientHeaders();
  forgetContainerRequests();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await emptyDatabase();
});

async function fetchContainer(uuid: string, headers: Record<string, string> = {}) {
  const response = await getRoute.GET(aRequest(`/api/v1/applications/certificate/get?appId=${uuid}`, { headers }));
  return { status: response.status, headers: response.headers, ...(await readAnswer(response)) };
}
const countSaves = () => AuditEventModel.countDocuments({ action: "app-certificate.save" });

describe("finding F3: the first certificate of an app is made when the app asks for it", () => {
  it("waits for it, whatever waits in the background, and stores it", async () => {
    await storeApp("app-1");
    const { status, data } = await fetchContainer("app-1");
    expect(status).toBe(200);
    const { certificate } = openPkcs12(data.certificate, testPassphrase);
    expect(new X509Certificate(certificate).subject).toContain("serialNumber=app-1");
    expect((await AppCertificateModel.findById("app-1").lean())?.container).toBe(data.certificate);
  });

  it("makes one for all who ask for the same app, and keeps one that is stored", async () => {
    await storeApp("app-1");
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetchContainer("app-1")));
    const containers = new Set(answers.map(({ data }) => data.certificate));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(containers.size).toBe(1);
    expect(await countSaves()).toBe(1);
    await renewAppCertificates(testContext, silentReport, { restShare: 0 });
    expect(containers.has((await fetchContainer("app-1")).data.certificate)).toBe(true);
    expect(await countSaves()).toBe(1);
  });

  it("makes few at once, and asks the others to come back", async () => {
    const uuids = Array.from({ length: 12 }, (_, index) => `app-${index}`);
    for (const uuid of uuids) await storeApp(uuid);
    const worker = certificateWorker();
    const run = worker.run.bind(worker);
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    vi.spyOn(worker, "run").mockImplementation(async (name, input) => {
      await gate;
      return run(name, input);
    });
    const asked = uuids.map((uuid) => fetchContainer(uuid));
    const refused = await Promise.race(asked);
    expect({ status: refused.status, retry: refused.headers.get("retry-after") }).toEqual({ status: 503, retry: "5" });
    open();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(8);
    expect(statuses.filter((status) => status === 503)).toHaveLength(4);
    for (const uuid of uuids) expect((await fetchContainer(uuid)).status).toBe(200);
  });

  it("has none while the authority cannot be used, and does not try again at every request", async () => {
    vi.spyOn(log, "error").mockReturnValue();
    await storeApp("app-failing");
    const run = vi.spyOn(certificateWorker(), "run").mockRejectedValue(new Error("unusable"));
    for (let count = 0; count < 300; count += 1) {
      expect(await fetchContainer("app-failing")).toMatchObject({
        status: 400,
        meta: { message: "No certificate is stored for this app" },
      });
    }
    expect(run).toHaveBeenCalledTimes(1);
  });
});

describe("finding B8: who may fetch containers (6.1)", () => {
  it("APP_CERTIFICATE_GET=off: nobody", async () => {
    useAuthority(authority, { ...env, APP_CERTIFICATE_GET: "off" });
    expect((await fetchContainer("app-1")).status).toBe(403);
  });

  it("APP_CERTIFICATE_GET=admin: administrators", async () => {
    await storeApp("app-1");
    const password = { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" };
    useAuthority(authority, { ...env, ...password, APP_CERTIFICATE_GET: "admin" });
    expect((await fetchContainer("app-1")).status).toBe(401);
    expect((await fetchContainer("app-1", { "basic-auth-password": "open sesame" })).status).toBe(200);
    expect(await countSaves()).toBe(1);
  });

  it("an address that asks more than 300 times a minute waits, others do not", async () => {
    await storeApp("app-1");
    useAuthority(authority, env);
    const from = (address: string) => fetchContainer("app-1", { [clientAddressHeader]: address });
    for (let count = 0; count < 300; count += 1) expect((await from("192.0.2.1")).status).toBe(200);
    const { status, headers } = await from("192.0.2.1");
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await from("192.0.2.2")).status).toBe(200);
  });
});
