import { SignInModel } from "@/models/access/sign-in";
import { ApprovalRequestModel } from "@/models/approval-request";
import { ScheduledReleaseModel } from "@/models/scheduled-release";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { certificateWorker } from "@/lib/certificates/worker/worker-client";
import { type ExampleDirectory, startExampleDirectory } from "@/example-directory/directory";
import { loadSettings } from "@/lib/platform/settings";
import { readDatabaseFacts } from "@/lib/platform/db/connection/database-facts";
import { readRevision, onRevision } from "@/lib/platform/db/revision";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { installServices } from "@/server/install-services";
import { createTestAuthority, useAuthority, type TestAuthority } from "@/test/support/authority";
import { firstData } from "@/test/support/content";
import { withDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";
import {
  findKnownThings,
  findRoute,
  knownSession,
  validCalls,
  type RouteMethod,
  type ValidCall,
} from "@/test/support/route-calls";
import { forgetContainerRequests } from "@/lib/certificates/app/container-access";
import { eventually } from "@/test/support/vehicle";

export const password = "open sesame";
const directoryKey = "directory-key";
const secretKey = "directory-secret";

/** Call it once at the top of a test file: first data with the example apps, a runtime, the example directory. */
export function withApi() {
  withDatabase();
  let authority: TestAuthority;
  let directory: ExampleDirectory;
  let calls: ReturnType<typeof validCalls>;
  let stop = () => Promise.resolve();
  const use = (env: Readonly<Record<string, string>> = {}) => {
    const { baseUrl, rpcSpecUrl } = directory.endpoint;
    const addresses = { SHAID_URL: baseUrl, RPC_SPEC_URL: rpcSpecUrl };
    useAuthority(authority, { SHAID_PUBLIC_KEY: directoryKey, SHAID_SECRET_KEY: secretKey, ...addresses, ...env });
  };
  beforeAll(async () => {
    authority = createTestAuthority();
    directory = await startExampleDirectory({ publicKey: directoryKey, secretKey });
    use();
    await firstData();
    const loader = createSnapshotLoader({ report: () => undefined });
    const source = {
      open: () => Promise.resolve(),
      readRevision: () => readRevision(),
      load: () => loader.load(),
      writeRefusal: () => Promise.resolve(null),
      onRevision,
      databaseFacts: readDatabaseFacts,
      savedOrigin: () => Promise.resolve(null),
      loadSaved: () => Promise.resolve(null),
      save: () => Promise.resolve(),
    };
    const { runtime } = installServices({ settings: loadSettings(), source, hooks: {} });
    stop = () => runtime.stop();
    runtime.start();
    await eventually(() => Promise.resolve(runtime.status().state === "ready"));
    const ask = async (path: string) => {
      const { handler } = findRoute(`GET ${path}`);
      return (await readAnswer(await handler(aRequest(path)))).data;
    };
    const making = aRequest("/api/v1/tokens", { body: { name: "Known", role: "viewer" } });
    const made = await readAnswer(await findRoute("POST /api/v1/tokens").handler(making));
    calls = validCalls(await findKnownThings(ask, { pair: authority.aPair(), token: made.data.id }));
    const author = { actor: "admin", displayName: null, isNameVerified: false };
    await ScheduledReleaseModel.insertMany([901, 902].map((_id) => ({ _id, at: new Date(), author, items: [] })));
    const asked = {
      kind: "decision",
      author,
      askedAt: new Date(),
      digest: { sum: "0", parts: [] },
    };
    const requests = [["person:1"], ["open"]].map((askedBy, at) => ({ _id: 901 + at, ...asked, askedBy, items: [] }));
    await ApprovalRequestModel.insertMany(requests);
    const person = { person: "oidc|https://id.example|901", name: "Somebody", source: "id_token", sealed: "none" };
    const endsAt = new Date(Date.now() + 3_600_000);
    await SignInModel.insertMany([knownSession, "another"].map((_id) => ({ _id, ...person, endsAt })));
    // An app can get its certificate once there is one.
    const storing = findRoute("POST /api/v1/applications/certificate");
    for (const call of calls[storing.name] ?? []) await storing.handler(requestOf(storing, call));
  });
  beforeEach(() => {
    use();
    forgetContainerRequests();
  });
  afterAll(async () => {
    await stop();
    await certificateWorker().stop();
    await directory.close();
  });
  return { use, calls: () => calls };
}

export function contextOf({ params = {} }: ValidCall): { readonly params: Promise<unknown> } {
  return { params: Promise.resolve(params) };
}

export function requestOf({ method, path: pattern, facts }: RouteMethod, { params, query, body }: ValidCall): Request {
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => params?.[name] ?? "x");
  const headers: Record<string, string> = facts.needs === "webhook" ? { public_key: directoryKey } : {};
  return aRequest(query === undefined ? path : `${path}?${query}`, { method, headers, body });
}
