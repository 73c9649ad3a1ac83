import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { log } from "@/lib/log";
import { buildAnswer, joinPlain } from "@/lib/policy/answer/answer";
import { compilePolicy, type CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { PolicyInspector } from "@/lib/policy/checks/findings";
import { isUnfit } from "@/lib/policy/head-unit/finding";
import { checkPolicyTable } from "@/lib/policy/head-unit/head-unit-check";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { readPolicyTable } from "@/lib/policy/answer/policy-request";
import { environments } from "@/lib/words/vocabulary";
import { ApplicationModel } from "@/models/application";
import { shortenedTable } from "@/test/support/answers";
import { policyOptions } from "@/test/support/builders";
import { firstData } from "@/test/support/content";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { runs, seed as runSeed } from "@/test/support/extent";
import { randomAsking, randomStep, type Asking } from "@/test/support/random-walk";
import { forgetSettings } from "@/test/support/settings";
import { take } from "@/test/support/take-step";

withDatabase();
forgetSettings();

/** More with `npm run test:states`; one walk is so many states. */
const wanted = Number(process.env.STATES ?? runs(500));
const statesPerWalk = 20;
const seed = Number(process.env.STATES_SEED ?? runSeed);

const walk = fc.array(fc.tuple(fc.array(randomStep, { minLength: 1, maxLength: 4 }), randomAsking), {
  minLength: statesPerWalk,
  maxLength: statesPerWalk,
});

beforeEach(() => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
});

/** What a vehicle gets, and the ids it asked with, by uuid. */
async function ask(policy: CompiledPolicy, { isLong, unknown, least, sent, spelled }: Asking) {
  const apps = await ApplicationModel.find({}, { uuid: 1, shortUuid: 1 }).lean();
  const known = apps.map(({ uuid, shortUuid }) => [spelled(isLong ? uuid : shortUuid), uuid] as const);
  const named = new Set([...unknown, ...known.map(([id]) => id)]);
  const more = Array.from({ length: Math.max(0, least - named.size) }, (_, at) => `nobody-${at}`);
  const requested = Object.fromEntries([...named, ...more].map((id) => [id, sent]));
  const request = readPolicyTable(shortenedTable(requested, isLong));
  const body = Buffer.concat(joinPlain(buildAnswer(policy, request, "id")).buffers).toString();
  return { table: JSON.parse(body).data[0].policy_table as object, ids: new Map(known) };
}

interface Refused {
  readonly refused: readonly string[];
  /** Those of which the pages that follow the compiled policy say nothing (rule G9). */
  readonly unsaid: readonly string[];
}

async function findRefused(policy: CompiledPolicy, asking: Asking): Promise<Refused> {
  const { table, ids } = await ask(policy, asking);
  const refused = checkPolicyTable(table).filter(isUnfit);
  if (refused.length === 0) return { refused: [], unsaid: [] };
  const inspector = new PolicyInspector(policy);
  const said = new Set(inspector.shared.map(({ build, path }) => `${build} ${path}`));
  for (const [id, uuid] of ids) {
    const entry = policy.entryOf(uuid, true);
    if (typeof entry === "string") continue;
    for (const { build, path } of inspector.inspectEntry(id, entry.text)) said.add(`${build} ${path}`);
  }
  const unsaid = refused.filter(({ build, path }) => !said.has(`${build} ${path}`));
  const words = (found: typeof refused) => found.map(({ path, message }) => `${path}: ${message}`);
  return { refused: words(refused), unsaid: words(unsaid) };
}

describe("every state that the server accepts", () => {
  it(`gives production tables that no head unit refuses, and in staging none without a finding (${wanted} states, STATES_SEED=${seed})`, async () => {
    let states = 0;
    let done = 0;
    let flagged = 0;
    const property = fc.asyncProperty(walk, async (walked) => {
      await emptyDatabase();
      await firstData();
      const loader = createSnapshotLoader({ report: () => undefined });
      for (const [steps, asking] of walked) {
        for (const step of steps) if (await take(step)) done++;
        const snapshot = await loader.load();
        for (const environment of environments) {
          const policy = await compilePolicy(snapshot, environment, policyOptions(), () => undefined);
          const { refused, unsaid } = await findRefused(policy, asking);
          if (environment === "production") expect(refused).toEqual([]);
          else if (refused.length > 0) flagged++;
          expect(unsaid).toEqual([]);
        }
        states++;
      }
    });
    // Smaller counter-examples cost a database each: the seed brings the same walk back.
    await fc.assert(property, { numRuns: Math.ceil(wanted / statesPerWalk), seed, endOnFailure: true });
    expect(states).toBeGreaterThanOrEqual(wanted);
    // A walk in which nothing is accepted would prove little.
    expect(done).toBeGreaterThan(states / 2);
    process.stdout.write(`accepted states: ${JSON.stringify({ states, done, flagged, seed })}
`);
  });
});
