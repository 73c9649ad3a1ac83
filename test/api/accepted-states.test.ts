import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { log } from "@/lib/platform/log";
import { buildAnswer, joinPlain } from "@/lib/policy/answer/answer";
import { compilePolicy, type CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { findInEntry, findInShared } from "@/lib/policy/checks/findings";
import { isUnfit } from "@/lib/policy/head-unit/finding";
import { checkPolicyTable } from "@/lib/policy/head-unit/head-unit-check";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { readPolicyTable } from "@/lib/policy/answer/policy-request";
import { permitsOfBuilds, carsOf, readPermitTable } from "@/lib/policy/permits/car";
import { defaultEntryFor, readCarSettings, restrictionOf } from "@/lib/policy/permits/conditions";
import type { Permitted } from "@/lib/policy/permits/permits";
import { listApps } from "@/lib/policy/snapshot/app-index";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { compareApp } from "@/lib/releases/review/app-comparison";
import { listStagedChanges } from "@/lib/releases/review/changes";
import { buildPublished, contentsOf } from "@/lib/releases/review/production";
import type { Builds } from "@/lib/policy/why/requirements";
import { buildMatrix } from "@/lib/policy/why/app-matrix";
import { decide } from "@/lib/policy/why/decision";
import { prepareView } from "@/lib/policy/why/view";
import { carBuilds, coreVersions, newestCore, oldestCore, type CoreVersion } from "@/lib/vocabulary/head-units";
import { environments, hmiLevels } from "@/lib/vocabulary/terms";
import { ApplicationModel } from "@/models/application";
import { shortenedTable } from "@/test/support/answers";
import { askServedTable } from "@/test/support/car-tables";
import { policyOptions } from "@/test/support/builders";
import { firstData } from "@/test/support/content";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { runs, seed as runSeed } from "@/test/support/extent";
import { randomAsking, randomStep, type Asking } from "@/test/support/random-walk";
import { take } from "@/test/support/take-step";

withDatabase();

/** More with `npm run test:states`; one walk is so many states. */
const wanted = Number(process.env.STATES ?? runs(200));
const wantedStatements = runs(200);
const statesPerWalk = 20;
const seed = Number(process.env.STATES_SEED ?? runSeed);
/** Each a test with a seed of its own, so that a slow machine reaches the limit of none. */
const batches = Array.from({ length: Math.ceil(wanted / 200) }, (_, nth) => {
  return { states: Math.min(200, wanted - 200 * nth), seed: seed + nth };
});

const walk = fc.array(fc.tuple(fc.array(randomStep, { minLength: 1, maxLength: 4 }), randomAsking), {
  minLength: statesPerWalk,
  maxLength: statesPerWalk,
});

beforeEach(() => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
});

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

function tableFor(policy: CompiledPolicy, uuids: readonly string[], version: CoreVersion) {
  const request = shortenedTable(Object.fromEntries(uuids.map((uuid) => [uuid, {}])), true);
  // Core 4.5 gets groups of its own (rule R8).
  const asked = readPolicyTable(version === oldestCore ? { ...request, module_config: {} } : request);
  return JSON.parse(Buffer.concat(joinPlain(buildAnswer(policy, asked, "id")).buffers).toString()).data[0].policy_table;
}

function groupsIn({ app_policies: entries }: any, uuid: string): readonly string[] {
  const entry = Object.hasOwn(entries, uuid) ? entries[uuid] : "default";
  return entry === null ? [] : (entry === "default" ? entries.default : entry).groups;
}

interface Compared {
  statements: number;
  readonly differences: string[];
}

function compareStatements(compared: Compared, policy: CompiledPolicy, uuids: readonly string[], version: CoreVersion) {
  const { snapshot, environment } = policy;
  const table = tableFor(policy, uuids, newestCore);
  const ask = askServedTable(version === oldestCore ? tableFor(policy, uuids, version) : table, version);
  const view = prepareView(snapshot, environment, policy.rules, { builds: carBuilds, version });
  const compare = (what: string, said: Builds, meant: Builds) => {
    compared.statements++;
    if (said.regular === meant.regular && said.external === meant.external) return;
    compared.differences.push(`${what}: ${JSON.stringify({ said, meant })}`);
  };
  for (const uuid of uuids) {
    const entry = table.app_policies[uuid];
    const decision = decide(view, uuid, true, () => null);
    if (decision.app === null || decision.version === null) continue;
    for (const { name, cells, parameters } of buildMatrix(view, decision.app, decision.version).rpcs) {
      const named = parameters.filter(({ kind }) => kind === "parameter");
      for (const row of [{ name: null, cells }, ...named]) {
        for (const { level, builds } of row.cells) {
          compare(`matrix ${uuid} ${name} ${row.name} ${level}`, builds, ask(entry, name, level, row.name));
        }
      }
    }
  }
}

async function compareReview(compared: Compared, snapshot: PolicySnapshot, uuids: readonly string[]): Promise<void> {
  const published = buildPublished(snapshot, contentsOf(snapshot, listStagedChanges(snapshot)), 0);
  const [before, after] = await Promise.all(
    [snapshot, published].map(async (state) => {
      const policy = await compilePolicy(state, "production", policyOptions(), () => undefined);
      const table = tableFor(policy, uuids, newestCore);
      return { table, read: readPermitTable(table) };
    }),
  );
  for (const uuid of uuids) {
    const said = compareApp(snapshot, published, uuid.toLowerCase()).rights.flatMap(
      ({ rpc, kind, builds, levels, parameters }) => builds.map((build) => ({ rpc, kind, build, levels, parameters })),
    );
    const possible = [before, after].map((side, at, sides) => {
      const { app_policies: entries } = side!.table;
      const other = sides[1 - at]!.table.app_policies[uuid];
      const own = typeof other === "object" ? other : null;
      const entry = entries[uuid] === "default" ? defaultEntryFor(entries.default, own) : entries[uuid];
      const permits = permitsOfBuilds(carsOf(side!.read), groupsIn(side!.table, uuid));
      return restrictionOf(entry, readCarSettings(side!.table)).restrict(permits);
    });
    for (const build of carBuilds) {
      const [old, now] = possible.map((permits) => permits[build]);
      for (const rpc of new Set([...old!.keys(), ...now!.keys()])) {
        for (const [kind, from, to] of [["gained", old!, now!] as const, ["lost", now!, old!] as const]) {
          const isMore = hmiLevels.some((level) =>
            holdsMore(to.get(rpc)?.[level] ?? "no", from.get(rpc)?.[level] ?? "no"),
          );
          const isSaid = said.some((one) => one.rpc === rpc && one.kind === kind && one.build === build);
          compared.statements++;
          if (isSaid !== isMore) compared.differences.push(`review ${uuid} ${kind} ${rpc} ${build}: said ${isSaid}`);
        }
      }
    }
  }
}

function holdsMore(one: Permitted, other: Permitted): boolean {
  if (one === "no" || other === "all") return false;
  return other === "no" || one === "all" || one.some((name) => !other.includes(name));
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
  const { ofHeadUnits, beyond, groups } = findInShared(policy);
  const said = new Set([...ofHeadUnits, ...beyond].map(({ build, path }) => `${build} ${path}`));
  for (const [id, uuid] of ids) {
    const entry = policy.entryOf(uuid, true);
    if (typeof entry === "string") continue;
    for (const { build, path } of findInEntry(id, entry.text, groups)) said.add(`${build} ${path}`);
  }
  const unsaid = refused.filter(({ build, path }) => !said.has(`${build} ${path}`));
  const words = (found: typeof refused) => found.map(({ path, message }) => `${path}: ${message}`);
  return { refused: words(refused), unsaid: words(unsaid) };
}

describe("every state that the server accepts", () => {
  it(`is described as cars read its tables: matrix and review (${wantedStatements} states, STATES_SEED=${seed})`, async () => {
    let states = 0;
    const tables: Compared = { statements: 0, differences: [] };
    const reviews: Compared = { statements: 0, differences: [] };
    const property = fc.asyncProperty(walk, fc.constantFrom(...coreVersions), async (walked, version) => {
      await emptyDatabase();
      await firstData();
      const loader = createSnapshotLoader({ report: () => undefined });
      for (const [steps] of walked) {
        for (const step of steps) await take(step);
        const snapshot = await loader.load();
        const stored = [...listApps(snapshot.apps)];
        const uuids = [0, 1].flatMap((nth) => stored[(states + nth) % stored.length]?.uuid ?? []).concat("unknown");
        for (const environment of environments) {
          const policy = await compilePolicy(snapshot, environment, policyOptions(), () => undefined);
          compareStatements(tables, policy, uuids, version);
        }
        await compareReview(reviews, snapshot, uuids);
        expect([...tables.differences, ...reviews.differences]).toEqual([]);
        states++;
      }
    });
    await fc.assert(property, { numRuns: Math.ceil(wantedStatements / statesPerWalk), seed, endOnFailure: true });
    expect(states).toBeGreaterThanOrEqual(wantedStatements);
    expect(Math.min(tables.statements, reviews.statements)).toBeGreaterThan(states);
    const counts = { states, statements: tables.statements, ofReviews: reviews.statements, seed };
    process.stdout.write(`described states: ${JSON.stringify(counts)}
`);
  });

  it.each(batches)(
    "gives production tables that no head unit refuses, and in staging none without a finding (STATES=$states STATES_SEED=$seed)",
    async (batch) => {
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
      await fc.assert(property, {
        numRuns: Math.ceil(batch.states / statesPerWalk),
        seed: batch.seed,
        endOnFailure: true,
      });
      expect(states).toBeGreaterThanOrEqual(batch.states);
      // A walk in which nothing is accepted would prove little.
      expect(done).toBeGreaterThan(states / 2);
      process.stdout.write(`accepted states: ${JSON.stringify({ states, done, flagged, seed: batch.seed })}
`);
    },
  );
});
