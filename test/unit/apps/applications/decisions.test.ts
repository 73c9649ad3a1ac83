import { describe, expect, it } from "vitest";
import {
  buildActionBody,
  confirmationOf,
  decidedState,
  type Decision,
  describeEffect,
  offeredDecisions,
  type Situation,
} from "@/lib/apps/applications/decisions";
import { actionBody } from "@/lib/apps/applications/schema";
import type { ApprovalStatus } from "@/lib/labels/vocabulary";

/** Versions 1, 2, … with the given statuses; the decision is about the last one unless said otherwise. */
function situation(statuses: readonly ApprovalStatus[], { id = statuses.length, isBlocked = false } = {}): Situation {
  const versions = statuses.map((approvalStatus, index) => ({
    id: index + 1,
    versionId: index + 101,
    developerVersion: null,
    approvalStatus,
  }));
  return { id, versions, isBlocked };
}
const effect = (of: Situation, decision: Decision) =>
  describeEffect(of, decidedState(decision), ({ id }) => `v${id}`).join(" ");

describe("what is offered from which state", () => {
  it("reaches blocking from every state", () => {
    for (const state of ["PENDING", "STAGING", "ACCEPTED", "LIMITED"] as const) {
      expect(offeredDecisions(state)).toContain("block");
    }
    expect(offeredDecisions("BLOCKED")).toEqual(["unblock"]);
  });

  it("never offers the state a version is in", () => {
    expect(offeredDecisions("STAGING")).not.toContain("stage");
    expect(offeredDecisions("ACCEPTED")).not.toContain("accept");
    expect(offeredDecisions("LIMITED")).not.toContain("limit");
  });
});

describe("what is sent", () => {
  const subject = { id: 41, uuid: "app-1", version_id: 913 };
  const same = { id: 41, uuid: "app-1", version_id: 913 };
  it.each<[Decision, string, object]>([
    ["stage", "", { approval_status: "STAGING", blacklist: false, denial_message: null }],
    ["accept", "", { approval_status: "ACCEPTED", blacklist: false, denial_message: null }],
    ["limit", "", { approval_status: "LIMITED", blacklist: false, denial_message: null }],
    ["limit", " too much ", { approval_status: "LIMITED", blacklist: false, denial_message: "too much" }],
    ["block", "harm", { approval_status: "LIMITED", blacklist: true, denial_message: "harm" }],
    ["unblock", "", { approval_status: "LIMITED", blacklist: false, denial_message: null }],
    // A status that is no refusal clears the notes.
    ["accept", "left over", { approval_status: "ACCEPTED", blacklist: false, denial_message: null }],
  ])("%s with reason %j", (decision, reason, expected) => {
    const body = buildActionBody(subject, decidedState(decision), reason);
    expect(body).toEqual({ ...same, ...expected });
    expect(actionBody.safeParse(body).success).toBe(true);
  });
});

describe("what a decision does, in words", () => {
  it.each<[string, Situation, Decision, string]>([
    ["a first version", situation(["PENDING"]), "accept", "Production and staging begin to serve v1."],
    ["an update", situation(["ACCEPTED", "PENDING"]), "accept", "Production and staging go from v1 to v2."],
    [
      "an update, to staging",
      situation(["ACCEPTED", "PENDING"]),
      "stage",
      "Production keeps v1. Staging goes from v1 to v2.",
    ],
    ["a refused update", situation(["ACCEPTED", "PENDING"]), "limit", "Production and staging keep v1."],
    [
      "leaving production",
      situation(["ACCEPTED", "ACCEPTED"]),
      "stage",
      "Production goes back from v2 to v1. Staging keeps v2.",
    ],
    [
      "leaving production without an earlier version",
      situation(["ACCEPTED"]),
      "stage",
      "Production is left without a version: the app falls back to the default groups. Staging keeps v1.",
    ],
    [
      "an old version",
      situation(["PENDING", "ACCEPTED"], { id: 1 }),
      "accept",
      "Production and staging keep v2. A newer version is already approved, so this one would not be served.",
    ],
    [
      "a refused first version",
      situation(["PENDING"]),
      "limit",
      "Production and staging still have no version of this app: default groups only.",
    ],
    [
      "unblocking",
      situation(["ACCEPTED", "LIMITED"], { isBlocked: true }),
      "unblock",
      "Production and staging serve v1 again.",
    ],
    [
      "unblocking an app without any",
      situation(["ACCEPTED"], { isBlocked: true }),
      "unblock",
      "Production and staging give the app the default groups again, and no version.",
    ],
    [
      "refusing what both serve",
      situation(["ACCEPTED"]),
      "limit",
      "Production and staging are left without a version: the app falls back to the default groups.",
    ],
  ])("%s", (_, of, decision, expected) => {
    expect(effect(of, decision)).toBe(expected);
  });

  it("blocking takes everything", () => {
    expect(effect(situation(["ACCEPTED"]), "block")).toContain("no permissions in staging and production");
  });
});

describe("what is asked before", () => {
  const asked = (of: Situation, decision: Decision) => confirmationOf(of, decidedState(decision));

  it("nothing for what touches staging alone", () => {
    expect(asked(situation(["PENDING"]), "stage")).toEqual({ isImmediate: true, typed: null });
    expect(asked(situation(["ACCEPTED", "LIMITED"]), "stage")).toEqual({ isImmediate: true, typed: null });
  });

  it("a look at the effect for what reaches production or the directory", () => {
    expect(asked(situation(["STAGING"]), "accept")).toEqual({ isImmediate: false, typed: null });
    expect(asked(situation(["PENDING"]), "limit")).toEqual({ isImmediate: false, typed: null });
    expect(asked(situation(["ACCEPTED", "ACCEPTED"]), "stage")).toEqual({ isImmediate: false, typed: null });
    expect(asked(situation(["LIMITED"], { isBlocked: true }), "unblock")).toEqual({
      isImmediate: false,
      typed: null,
    });
  });

  it("a look at the effect where an app is unblocked, although production serves no version before and after", () => {
    const unblocked = confirmationOf(situation(["STAGING"], { isBlocked: true }), {
      status: "STAGING",
      isBlocked: false,
    });
    expect(unblocked).toEqual({ isImmediate: false, typed: null });
  });

  it("nothing typed for a version that production does not serve, nor twice for an app that is blocked", () => {
    expect(asked(situation(["ACCEPTED", "STAGING"]), "limit").typed).toBeNull();
    expect(asked(situation(["STAGING"]), "limit").typed).toBeNull();
    expect(asked(situation(["LIMITED"], { isBlocked: true }), "block").typed).toBeNull();
  });

  it("a typed word for blocking and for what leaves production", () => {
    expect(asked(situation(["ACCEPTED"]), "stage").typed).toBe("production");
    expect(asked(situation(["ACCEPTED"]), "limit").typed).toBe("production");
  });

  it("finding E2: asks for the app's name before it is blocked", () => {
    expect(asked(situation(["PENDING"]), "block").typed).toBe("name");
    expect(asked(situation(["ACCEPTED"]), "block").typed).toBe("name");
  });
});
