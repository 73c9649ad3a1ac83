import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide, type FindFacts } from "@/lib/policy/why/decision";
import { explainDecision, listAllowed } from "@/lib/policy/why/explain";
import { fixedEntries } from "@/lib/policy/table/app-policies";
import { explainFixed } from "@/lib/policy/why/group-causes";
import { prepareView } from "@/lib/policy/why/view";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { carBuilds, newestCore, oldestCore } from "@/lib/vocabulary/head-units";
import { environments, type Environment, type HmiLevel } from "@/lib/vocabulary/terms";
import { answerText, compiled } from "@/test/support/answers";
import { askServedTable } from "@/test/support/car-tables";
import { runs } from "@/test/support/extent";
import { randomRequest, randomSnapshot } from "@/test/support/random-snapshot";

const noFacts: FindFacts = () => null;
const own = (object: any, name: string): any => (Object.hasOwn(object, name) ? object[name] : undefined);
/** A head unit of rule R8 is asked as one of Core 4.5. */
const coreOf = (request: { readonly isOlder: boolean }) => (request.isOlder ? oldestCore : newestCore);
const viewFor = (snapshot: PolicySnapshot, environment: Environment, request: { readonly isOlder: boolean }) =>
  prepareView(snapshot, environment, undefined, { builds: carBuilds, version: coreOf(request) });

describe.each(environments)("L15: the reasons in %s", (environment) => {
  it("L15: name for every id what the table gives it, and for every entry the groups that stand in it", () =>
    fc.assert(
      fc.asyncProperty(randomSnapshot, randomRequest, async (snapshot, request) => {
        const policy = await compiled(snapshot, environment);
        const table = JSON.parse(answerText(policy, request.table)).data[0].policy_table;
        const view = viewFor(snapshot, environment, request);
        for (const [id] of request.ids.filter(([name]) => !Object.hasOwn(fixedEntries, name))) {
          const reasons = explainDecision(view, decide(view, id, request.fullAppIdSupported, noFacts));
          const entry = own(table.app_policies, id);
          expect(reasons.outcome).toBe(entry === null ? "null" : typeof entry === "string" ? "default" : "own entry");
          const groups = entry === null ? [] : (entry === "default" ? table.app_policies.default : entry).groups;
          expect(reasons.groups.map(({ group }) => group)).toEqual(groups);
          const allowed = listAllowed(view, new Set(groups as string[]));
          for (const { group, consent_prompt, causes } of reasons.groups) {
            const listed = own(table.functional_groupings, group);
            const rpcs = allowed.find((one) => one.group === group)?.rpcs ?? [];
            expect(causes.length).toBeGreaterThan(0);
            expect(consent_prompt).toBe(listed.user_consent_prompt ?? null);
            expect(rpcs.map(({ name }) => name)).toEqual(Object.keys(listed.rpcs ?? {}).toSorted());
            for (const { name, levels, parameters, is_restricted } of rpcs) {
              expect({ hmi_levels: levels, ...(is_restricted ? { parameters } : {}) }).toEqual(own(listed.rpcs, name));
            }
          }
        }
        for (const name of ["default", "device", "pre_DataConsent"] as const) {
          expect(explainFixed(view, name).map(({ group }) => group.name)).toEqual(table.app_policies[name].groups);
        }
      }),
      { numRuns: runs(200) },
    ));

  it("L15: withhold exactly what is asked for and cars do not permit by the served table", () =>
    fc.assert(
      fc.asyncProperty(randomSnapshot, randomRequest, async (snapshot, request) => {
        const table = JSON.parse(answerText(await compiled(snapshot, environment), request.table)).data[0].policy_table;
        const view = viewFor(snapshot, environment, request);
        const askTable = askServedTable(table, coreOf(request));
        for (const [id] of request.ids.filter(([name]) => !Object.hasOwn(fixedEntries, name))) {
          const decision = decide(view, id, request.fullAppIdSupported, noFacts);
          const { withheld } = explainDecision(view, decision);
          const held = new Set(withheld.map(({ permission, level }) => `${permission} ${level}`));
          if (decision.version === null) expect(withheld).toEqual([]);
          for (const { key, hmiLevel } of decision.version?.permissions ?? []) {
            const level = hmiLevel?.slice("HMI_".length) ?? null;
            const type = snapshot.permissions.find(({ name }) => name === key)?.type;
            const parents = snapshot.permissions.find(({ name }) => name === key)?.parents ?? [];
            if (type === undefined) continue;
            const entry = own(table.app_policies, id);
            const { groups } = entry;
            const stored = groups.flatMap((name: string) =>
              (view.groups.get(name)?.group.rpcs ?? []).filter(
                ({ levels, parameters }) => levels.length > 0 && parameters.includes(key),
              ),
            );
            const rpcs: readonly string[] =
              type === "RPC" ? [key] : type === "MODULE" ? parents : stored.map(({ name }: { name: string }) => name);
            const answers = rpcs.map((rpc) =>
              askTable(entry, rpc, level as HmiLevel, type === "PARAMETER" ? key : null),
            );
            const isGiven = answers.some(({ regular }) => regular) && answers.some(({ external }) => external);
            expect(held.has(`${key} ${level}`), `${key} ${level}`).toBe(!isGiven);
          }
        }
      }),
      { numRuns: runs(200) },
    ));
});
