import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide } from "@/lib/simulator/decision";
import { answerQuestion } from "@/lib/simulator/question";
import { prepareView } from "@/lib/simulator/view";
import { carBuilds, coreVersions, newestCore, oldestCore } from "@/lib/labels/head-units";
import { environments, hmiLevels } from "@/lib/labels/vocabulary";
import { answerText, compiled } from "@/test/support/answers";
import { aMessage, inBothViews } from "@/test/support/builders";
import { askServedTable } from "@/test/support/car-tables";
import { atLeast, runs } from "@/test/support/extent";
import { randomRequest, randomSnapshot } from "@/test/support/random-snapshot";

import { alertAt, ask, asksForAlert, gps, vehicleData } from "./ask";

const own = (object: any, name: string): any => (Object.hasOwn(object, name) ? object[name] : undefined);

const questions = fc.record({
  rpc: fc.constantFrom("Show", "Alert", "GetVehicleData", "OnVehicleData", "__proto__", "constructor", "Unheard"),
  parameter: fc.option(fc.constantFrom("gps", "speed", "cabinScent", "toString"), { nil: null }),
  level: fc.constantFrom(...hmiLevels),
});

/** Questions about what some groups hold, so that the answer is not always no. */
const heldIn = (groupings: Record<string, any>) =>
  Object.values(groupings)
    .flatMap(({ rpcs }) => Object.entries<any>(rpcs ?? {}))
    .slice(0, 8)
    .map(([rpc, { hmi_levels, parameters }]) => ({
      rpc,
      parameter: parameters?.[0] ?? null,
      level: hmi_levels.at(-1),
    }));

describe.each(environments)("L16: an answer in %s", (environment) => {
  it("L16: is yes exactly when the table that the vehicle gets allows it", async () => {
    let yes = 0;
    await fc.assert(
      fc.asyncProperty(
        randomSnapshot,
        randomRequest,
        fc.constantFrom(...coreVersions),
        fc.array(questions, { minLength: 5, maxLength: 5 }),
        async (snapshot, request, anyVersion, asked) => {
          // Only Core 4.5 gets tables of its own (rule R8).
          const isNewer = !request.isOlder && anyVersion === oldestCore;
          const version = request.isOlder ? oldestCore : isNewer ? newestCore : anyVersion;
          const table = JSON.parse(answerText(await compiled(snapshot, environment), request.table)).data[0]
            .policy_table;
          const { app_policies, functional_groupings } = table;
          const askTable = askServedTable(table, version);
          const view = prepareView(snapshot, environment, undefined, { builds: carBuilds, version });
          for (const [id] of request.ids.filter(([name]) => !["default", "device", "pre_DataConsent"].includes(name))) {
            const decision = decide(view, id, request.fullAppIdSupported, () => null);
            const entry = own(app_policies, id);
            for (const question of [...asked, ...heldIn(functional_groupings)]) {
              const builds = askTable(entry, question.rpc, question.level, question.parameter);
              const isAllowed = builds.regular && builds.external;
              const answer = answerQuestion({ view, decision, question }, []);
              expect(answer.builds).toEqual(builds);
              expect(answer.is_allowed).toBe(isAllowed);
              expect(answer.sentence).toMatch(isAllowed ? /^Yes: / : /^No: /);
              expect(answer.would_change).toEqual(answer.remedies.map(({ sentence }) => sentence));
              if (builds.regular !== builds.external) {
                expect(answer.sentence).toMatch(/ head units \(.*\) only/);
                expect(answer.chain.join(" ")).toMatch(/xternal|egular/);
              }
              if (isAllowed) yes += 1;
            }
          }
        },
      ),
      { numRuns: runs(150, 50) },
    );
    expect(yes).toBeGreaterThan(atLeast(10));
  });
});

describe("L16: the chain", () => {
  it("L16: leads from the app over its entry and group to RPC, level and prompt", () => {
    const groups = [{ name: "Notifications", userConsentPrompt: "Notifications", rpcs: alertAt("BACKGROUND", "FULL") }];
    const snapshot = { messages: inBothViews(aMessage({ category: "Notifications" })) };
    const answer = ask({ groups, version: asksForAlert, snapshot });
    expect(answer.sentence).toBe(
      "Yes: in production Roadtune may call Alert at BACKGROUND after the driver has agreed to Notifications.",
    );
    expect(answer.chain).toEqual([
      "Production serves v4 of Roadtune, the newest accepted version.",
      "Its entry has the functional groups Base and Notifications.",
      "Notifications is granted because Alert is requested at BACKGROUND (A14).",
      "Notifications allows Alert at BACKGROUND and FULL.",
      "Notifications counts after the driver has agreed to Notifications.",
    ]);
    expect(answer.would_change).toEqual([
      "Remove the HMI level BACKGROUND from Alert in Notifications",
      "Block the app",
    ]);
  });

  it("L16: says no word of consent when one group asks nothing", () => {
    const groups = [
      { userConsentPrompt: "Notifications", rpcs: alertAt("BACKGROUND") },
      { rpcs: alertAt("BACKGROUND") },
    ];
    const snapshot = { messages: inBothViews(aMessage({ category: "Notifications" })) };
    expect(ask({ groups, version: asksForAlert, snapshot }).sentence).toBe(
      "Yes: in production Roadtune may call Alert at BACKGROUND.",
    );
  });

  it("L16: ends where the answer is no", () => {
    const answer = ask({ groups: [{ rpcs: alertAt("FULL", "LIMITED"), isDefault: true }] });
    expect(answer.chain.at(-1)).toBe("G0 allows Alert at FULL and LIMITED, not at BACKGROUND.");
    const withParameter = ask({ groups: [{ rpcs: vehicleData([]), isDefault: true }], question: gps });
    expect(withParameter.chain).toContain("G0 allows GetVehicleData at BACKGROUND, but not with gps.");
    expect(ask({}).chain).toContain("None of them holds Alert.");
  });
});

describe("L16: what cars make of several groups", () => {
  const empty = { name: "Empty", isDefault: true, rpcs: vehicleData([]) };
  const location = { name: "Location", isDefault: true, rpcs: vehicleData(["gps"]) };

  it("C1: says that a list without a parameter takes the RPC away in regular cars, from which group, and what to do", () => {
    const answer = ask({ groups: [empty, location], question: gps });
    expect(answer.builds).toEqual({ regular: false, external: true });
    expect(answer.sentence).toBe(
      "No: in production Roadtune may call GetVehicleData with gps at BACKGROUND " +
        "in external head units (EXTERNAL_PROPRIETARY) only.",
    );
    expect(answer.chain.at(-1)).toBe(
      "Regular head units (PROPRIETARY, HTTP) forbid GetVehicleData: Empty lists it without any parameter.",
    );
    expect(answer.remedies[0]).toEqual({
      sentence: "Select parameters of GetVehicleData in Empty, or take it out of there",
      item: { family: "group", key: "Empty" },
    });
  });

  it("C4: says that all cars forbid an RPC that no group lists with a parameter", () => {
    const answer = ask({ groups: [empty], question: { rpc: "GetVehicleData" } });
    expect(answer.builds).toEqual({ regular: false, external: false });
    expect(answer.sentence).toBe("No: in production Roadtune may not call GetVehicleData at BACKGROUND.");
    expect(answer.chain.at(-1)).toBe("All head units forbid GetVehicleData: Empty lists it without any parameter.");
    expect(answer.would_change[0]).toBe("Select parameters of GetVehicleData in Empty");
  });

  it("C3: says which groups give a level and a parameter together that none of them gives", () => {
    const full = { name: "Fuel", isDefault: true, rpcs: vehicleData(["fuelLevel"], "FULL") };
    const answer = ask({ groups: [full, location], question: { ...gps, level: "FULL" } });
    expect(answer.builds).toEqual({ regular: false, external: true });
    expect(answer.chain.at(-1)).toBe(
      "External head units (EXTERNAL_PROPRIETARY) allow it: " +
        "they join FULL of Fuel and the parameters of Location.",
    );
  });
});
