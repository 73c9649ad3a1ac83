import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerVehicle } from "@/lib/policy/answer/answer-vehicle";
import { checkPolicyTable } from "@/lib/policy/head-unit/head-unit-check";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { buildRequest } from "@/app/_simulator/request";
import { simulateBody } from "@/lib/policy/why/schema";
import { simulateAnswer } from "@/app/_simulator/simulate";
import { environments } from "@/lib/vocabulary/terms";
import { compiled } from "@/test/support/answers";
import { aCatalogue, anApp, aSnapshot, inBothViews, aBaseGroup, policyOptions } from "@/test/support/builders";
import { runs } from "@/test/support/extent";
import { randomRequest, randomSnapshot } from "@/test/support/random-snapshot";
import { workedExample, workedRequest } from "@/test/support/worked-example";

const bodyOf = (value: unknown) => simulateBody.parse(value);

async function vehicleWorkerAnswer(policy: CompiledPolicy, table: unknown, acceptsGzip = false) {
  const body = Buffer.from(JSON.stringify({ policy_table: table }));
  return answerVehicle({ environment: policy.environment, body, acceptsGzip, policy, hooks: {} });
}
const textOf = (buffers: readonly Buffer[], id: string) => Buffer.concat(buffers).toString().replace(id, "");
const textOfTable = ({ pieces }: Pick<ReturnType<typeof simulateAnswer>, "pieces">) => pieces.map(String).join("");
const around = (table: string) =>
  `{"meta":{"request_id":"","code":200,"message":null},"data":[{"policy_table":${table}}]}`;

describe.each(environments)("L15, L18: a simulated answer in %s", (environment) => {
  it("L15: is that of the vehicle worker, byte for byte, and L18: as long, plain and as gzip", () =>
    fc.assert(
      fc.asyncProperty(randomSnapshot, randomRequest, async (snapshot, random) => {
        const policy = await compiled(snapshot, environment);
        const { table, asked } = buildRequest(bodyOf({ request: random.table }), snapshot.apps);
        const simulated = simulateAnswer(policy, asked);
        const [plain, packed] = [
          await vehicleWorkerAnswer(policy, table),
          await vehicleWorkerAnswer(policy, table, true),
        ];
        expect(plain.status).toBe(200);
        expect(around(textOfTable(simulated))).toBe(textOf(plain.buffers, plain.requestId));
        expect(simulated.bytes).toEqual({ plain: plain.length, gzip: packed.length });
        const findings = checkPolicyTable(JSON.parse(textOfTable(simulated)));
        const refused = findings.filter(({ severity }) => severity === "refused");
        expect(simulated.verdict.regular.is_accepted).toBe(refused.every(({ build }) => build === "external"));
        expect(simulated.verdict.external.is_accepted).toBe(refused.every(({ build }) => build === "regular"));
        const told = new Set([...simulated.verdict.regular.findings, ...simulated.verdict.external.findings]);
        const texts = (all: Iterable<unknown>) => Array.from(all, (finding) => JSON.stringify(finding)).sort();
        expect(texts(told)).toEqual(texts(findings));
      }),
      { numRuns: runs(150) },
    ));
});

it("L15: apps by uuid are asked for as a vehicle would, with long or with short ids", async () => {
  const policy = await compiled(workedExample, "staging");
  const uuids = ["11111111-aaaa-4bbb-8ccc-000000000001", "99999999-aaaa-4bbb-8ccc-000000000009"];
  const ask = (full_app_id_supported: boolean) =>
    buildRequest(bodyOf({ apps: uuids, full_app_id_supported }), workedExample.apps);
  expect(Object.keys(ask(true).table["app_policies"] as object)).toEqual(uuids);
  expect(Object.keys(ask(false).table["app_policies"] as object)).toEqual(["11111111aa", "99999999aa"]);
  for (const isLong of [true, false]) {
    const { table, asked } = ask(isLong);
    const vehicleWorker = await vehicleWorkerAnswer(policy, table);
    expect(around(textOfTable(simulateAnswer(policy, asked)))).toBe(
      textOf(vehicleWorker.buffers, vehicleWorker.requestId),
    );
    expect(textOfTable(simulateAnswer(policy, asked))).toContain('"nicknames":["Roadtune"]');
  }
});

it("L15: an app with several short ids is asked for by the newest", () => {
  const shortIds = [
    { shortId: "old", newestRecordId: 3 },
    { shortId: "new", newestRecordId: 7 },
  ];
  const app = anApp({ shortIds });
  const { asked } = buildRequest(bodyOf({ apps: [app.uuid], full_app_id_supported: false }), aCatalogue([app]));
  expect(asked.apps.map(([id]) => id)).toEqual(["new"]);
});

describe("L15: a pasted request", () => {
  const none = aCatalogue();

  it("L15: may be a whole body, or lack members", () => {
    expect(buildRequest(bodyOf({ request: workedRequest }), none).asked.apps.length).toBe(4);
    const short = buildRequest(bodyOf({ request: { app_policies: { a: { enabled: true } } } }), none);
    expect(short.asked).toEqual({ apps: [["a", { enabled: true }]], fullAppIdSupported: false, isOlder: false });
    expect(short.table["usage_and_error_counts"]).toEqual({});
    expect(buildRequest(bodyOf({ request: {} }), none).asked.apps).toEqual([]);
  });

  it.each([
    ["HTTPRequest", { HTTPRequest: { headers: { RequestMethod: "POST" }, body: JSON.stringify(workedRequest) } }],
    ["HTTPRequest with an object", { HTTPRequest: { body: workedRequest } }],
    ["data", { data: [workedRequest] }],
    ["data of texts", { data: [JSON.stringify(workedRequest)] }],
    ["data in HTTPRequest", { HTTPRequest: { body: JSON.stringify({ data: [workedRequest] }) } }],
  ])("L15: may be in the wrapper of another mode: %s", (_, request) => {
    expect(buildRequest(bodyOf({ request }), none)).toEqual(buildRequest(bodyOf({ request: workedRequest }), none));
  });

  it.each([
    [{ HTTPRequest: { headers: {} } }, "request.HTTPRequest.body must be an object"],
    [{ HTTPRequest: { body: "c2VjcmV0" } }, "request.HTTPRequest.body is a text, but not JSON: it may be encrypted"],
    [{ HTTPRequest: { body: `{"policy_table":${"[".repeat(70)}${"]".repeat(70)}}` } }, "is nested too deep"],
    [{ data: [] }, "request.data must be an object"],
    [{ a: 1, b: {} }, "request holds no policy table: it has neither policy_table nor app_policies, but a, b"],
    [{ policy_table: null }, "request.policy_table must be an object"],
    [{ policy_table: [] }, "request.policy_table must be an object"],
    [{ app_policies: [] }, "policy_table.app_policies must be an object"],
    [{ module_config: 5 }, "policy_table.module_config must be an object"],
    [
      { app_policies: Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`a${at}`, {}])) },
      "policy_table.app_policies holds more than 1000 app ids",
    ],
  ])("L15: is refused as a vehicle's would be: %#", (request, message) => {
    expect(() => buildRequest(bodyOf({ request }), none)).toThrow(message);
  });

  it("L15: is not given together with apps, and one of both is needed", () => {
    expect(simulateBody.safeParse({ request: {}, apps: [] }).error?.issues[0]?.message).toBe(
      "Only one of request and apps may be given",
    );
    expect(simulateBody.safeParse({}).error?.issues[0]?.message).toBe("One of request and apps is required");
  });

  it("L15: an id like a member of every object is an id like any other", async () => {
    const policy = await compiled(aSnapshot({ groups: inBothViews(aBaseGroup()) }), "production");
    const request = JSON.parse('{"app_policies":{"constructor":{},"__proto__":{"enabled":true},"toString":null}}');
    const { table, asked } = buildRequest(bodyOf({ request }), none);
    const vehicleWorker = await vehicleWorkerAnswer(policy, table);
    expect(around(textOfTable(simulateAnswer(policy, asked)))).toBe(
      textOf(vehicleWorker.buffers, vehicleWorker.requestId),
    );
    expect({}).not.toHaveProperty("enabled");
  });
});

it("L15: the private key of the module certificate is taken out, and nothing else", async () => {
  const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIsecret\n-----END RSA PRIVATE KEY-----";
  const certificate = `-----BEGIN CERTIFICATE-----\nMIIpublic\n-----END CERTIFICATE-----\n${key}\n`;
  const options = policyOptions({ certificates: { staging: null, production: certificate } });
  const policy = await compiled(workedExample, "production", options);
  const { table, asked } = buildRequest(bodyOf({ request: workedRequest }), workedExample.apps);
  const { bytes, ...simulated } = simulateAnswer(policy, asked);
  const tableText = textOfTable(simulated);
  const vehicleWorker = await vehicleWorkerAnswer(policy, table);
  expect(tableText).not.toContain("MIIsecret");
  expect(tableText).toContain("MIIpublic");
  const redacted = textOf(vehicleWorker.buffers, vehicleWorker.requestId).replace(
    JSON.stringify(key).slice(1, -1),
    "-----REDACTED-----",
  );
  expect(around(tableText)).toBe(redacted);
  expect(bytes.plain).toBe(vehicleWorker.length);
});
