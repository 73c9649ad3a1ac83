import { X509Certificate } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as applicationsRoute from "@/app/api/v1/applications/route";
import * as certificateRoute from "@/app/api/v1/security/certificate/route";
import { makeAppContainer, saveAppContainer } from "@/lib/certificates/app/app-container";
import { requireGeneration } from "@/lib/certificates/generation";
import { openPkcs12 } from "@/lib/certificates/worker/pkcs12";
import { renewAppCertificates } from "@/lib/certificates/app/renewal";
import { WorkerTaskError } from "@/lib/certificates/worker/worker-client";
import { silentReport } from "@/lib/platform/process/task-report";
import { AppCertificateModel } from "@/models/app-certificate";
import { storeApp } from "@/test/support/applications";
import { createTestAuthority, useAuthority, type TestAuthority } from "@/test/support/authority";
import { testContext, withEmptyDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";

const key = Symbol.for("policy-server.certificate-worker");

/** Like the bundles of Next, whose errors are of classes that this instance does not know. */
async function useForeignWorker() {
  const registry = globalThis as { [key]?: unknown };
  const before = registry[key];
  registry[key] = undefined;
  vi.resetModules();
  const foreign = await import("@/lib/certificates/worker/worker-client");
  const client = foreign.certificateWorker();
  return {
    foreign,
    end: async () => {
      await client.stop();
      registry[key] = before;
    },
  };
}

withEmptyDatabase();

const env = { PRIVATE_KEY_BITSIZE: "1024" };
const otherPassphrase = "another passphrase, long enough";
let authority: TestAuthority;
let worker: Awaited<ReturnType<typeof useForeignWorker>>;
beforeAll(async () => {
  authority = createTestAuthority();
  worker = await useForeignWorker();
});
afterAll(() => worker.end());
beforeEach(() => useAuthority(authority, env));

async function storeContainer(uuid: string, hours: number): Promise<void> {
  const made = await makeAppContainer(requireGeneration(), uuid);
  await saveAppContainer(uuid, { ...made, expiresAt: new Date(Date.now() + hours * 3_600_000) }, testContext);
}

describe("finding C4: errors of a worker that another bundle made", () => {
  it("are of classes that this bundle does not know", () =>
    expect(worker.foreign.WorkerTaskError).not.toBe(WorkerTaskError));

  it("6.4: a key that cannot be read is 400, not 500", async () => {
    const body = { options: { clientKey: "no key" } };
    const response = await certificateRoute.POST(aRequest("/api/v1/security/certificate", { body }));
    expect({ status: response.status, message: (await readAnswer(response)).meta.message }).toEqual({
      status: 400,
      message: expect.stringMatching(/^The private key is not valid: it must be an unencrypted RSA key/),
    });
  });

  it("3.1: an app whose container does not open with the passphrase of today is answered without it", async () => {
    const id = await storeApp("app-1");
    await storeContainer("app-1", 100);
    useAuthority(authority, { ...env, CERTIFICATE_PASSPHRASE: otherPassphrase });
    expect((await applicationsRoute.GET(aRequest(`/api/v1/applications?id=${String(id)}`))).status).toBe(200);
  });

  it("X2: the renewal replaces a container that does not open", async () => {
    await storeApp("app-1");
    await storeContainer("app-1", 1);
    useAuthority(authority, { ...env, CERTIFICATE_PASSPHRASE: otherPassphrase });
    const outcome = await renewAppCertificates(testContext, silentReport, { restShare: 0 });
    expect(outcome).toEqual({ renewed: 1, failed: 0 });
    const stored = await AppCertificateModel.findById("app-1").lean();
    const { certificate } = openPkcs12(stored?.container ?? "", otherPassphrase);
    expect(new X509Certificate(certificate).subject).toContain("serialNumber=app-1");
  });
});
