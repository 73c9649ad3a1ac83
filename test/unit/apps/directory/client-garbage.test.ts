import fc from "fast-check";
import { expect, it } from "vitest";
import { createDirectoryClient, type DirectoryClient } from "@/lib/apps/directory/client/client";
import { DirectoryFailed, DirectoryRefused } from "@/lib/apps/directory/client/errors";
import { atLeast, runs } from "@/test/support/extent";
import { endStubs, serveHttp, type StubAnswer } from "@/test/support/http-stub";

endStubs();

const lists = ["applications", "categories", "permission_categories", "services", "countries", "locales"];
const calls: readonly ((client: DirectoryClient) => Promise<unknown>)[] = [
  (client) => client.applications(["a"]),
  (client) => client.categories(),
  (client) => client.permissions(),
  (client) => client.services(),
  (client) => client.countries(),
  (client) => client.locales(),
  (client) =>
    client.sendApproval({ uuid: "a", version_id: 1, approval_status: "ACCEPTED", notes: null, blacklist: true }),
  async (client) => {
    for await (const page of client.applicationPages()) expect(page.length).toBeGreaterThan(0);
  },
];

const element = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(
    fc.constantFrom("id", "key", "name", "type", "permissions", "parent_permissions", "display_name", "uuid", "iso"),
    fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("RPC", "MODULE", "Show"), fc.string({ unit: "binary" })),
  ),
);
const inEnvelope = fc
  .record(
    {
      meta: fc.oneof(fc.jsonValue(), fc.record({ message: fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue()) })),
      data: fc.oneof(
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom(...lists), fc.oneof(fc.array(element, { maxLength: 60 }), element)),
      ),
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.stringify(value));
const deep = fc
  .integer({ min: 1, max: 200_000 })
  .map((depth) => `{"data":{"categories":[${"[".repeat(depth)}${"]".repeat(depth)}]}}`);
const body = fc.oneof(fc.string({ unit: "binary" }), fc.json(), inEnvelope, inEnvelope, deep);
const status = fc.oneof(fc.constant(200), fc.constantFrom(201, 204, 301, 304, 400, 401, 403, 404, 429, 500, 503));

it("H5, H6: whatever the directory answers, a call gives what was asked for, or is refused or failed", async () => {
  let answer: StubAnswer = {};
  const stub = await serveHttp(() => answer);
  const endpoint = { baseUrl: stub.url, publicKey: "public-7f3a", secretKey: "secret-9b1c", rpcSpecUrl: "" };
  const client = createDirectoryClient(endpoint, { repeatAfterMs: [] });
  let failures = 0;
  await fc.assert(
    fc.asyncProperty(status, body, fc.constantFrom(...calls), async (code, text, call) => {
      // A status without a body has none: the stub would not send it either.
      answer = { status: code, body: code === 204 || code === 304 ? "" : text };
      try {
        await call(client);
        expect(code).toBeLessThan(300);
      } catch (error) {
        failures++;
        expect(error instanceof DirectoryFailed || error instanceof DirectoryRefused, String(error)).toBe(true);
      }
    }),
    { numRuns: runs(600) },
  );
  expect(failures).toBeGreaterThan(atLeast(100));
});
