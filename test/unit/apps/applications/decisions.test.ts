import { describe, expect, it } from "vitest";
import {
  buildActionBody,
  confirmationOf,
  decidedState,
  type Decision,
  describeDecision,
  offeredDecisions,
  type Situation,
} from "@/lib/apps/applications/decisions";
import { actionBody } from "@/lib/apps/applications/schema";
import type { ApprovalStatus } from "@/lib/vocabulary/terms";

function situation(statuses: readonly ApprovalStatus[], { id = statuses.length, isBlocked = false } = {}): Situation {
  const versions = statuses.map((approvalStatus, index) => ({
    id: index + 1,
    versionId: index + 101,
    developerVersion: null,
    approvalStatus,
  }));
  return { id, versions, isBlocked };
}
const blocked = (statuses: readonly ApprovalStatus[]) => situation(statuses, { isBlocked: true });
const effect = (of: Situation, decision: Decision) =>
  describeDecision(of, decidedState(decision), ({ id }) => `v${id}`).join(" ");

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

const subject = { id: 41, uuid: "app-1", version_id: 913 };
it.each<[Decision, string, object]>([
  ["stage", "", { approval_status: "STAGING", blacklist: false, denial_message: null }],
  ["accept", "", { approval_status: "ACCEPTED", blacklist: false, denial_message: null }],
  ["limit", "", { approval_status: "LIMITED", blacklist: false, denial_message: null }],
  ["limit", " too much ", { approval_status: "LIMITED", blacklist: false, denial_message: "too much" }],
  ["block", "harm", { approval_status: "LIMITED", blacklist: true, denial_message: "harm" }],
  ["unblock", "", { approval_status: "LIMITED", blacklist: false, denial_message: null }],
  // A status that is no refusal clears the notes.
  ["accept", "left over", { approval_status: "ACCEPTED", blacklist: false, denial_message: null }],
])("what is sent: %s with reason %j", (decision, reason, expected) => {
  const body = buildActionBody(subject, decidedState(decision), reason);
  expect(body).toEqual({ ...subject, ...expected });
  expect(actionBody.safeParse(body).success).toBe(true);
});

describe("what a decision does, in words", () => {
  const left = "left without a version: the app falls back to the default groups.";
  it.each<[string, Situation, Decision, string]>([
    ["a first version", situation(["PENDING"]), "accept", "Production and staging begin to serve v1."],
    ["an update", situation(["ACCEPTED", "PENDING"]), "accept", "Production and staging go from v1 to v2."],
    ["to staging", situation(["ACCEPTED", "PENDING"]), "stage", "Production keeps v1. Staging goes from v1 to v2."],
    ["refused", situation(["ACCEPTED", "PENDING"]), "limit", "Production and staging keep v1."],
    ["back", situation(["ACCEPTED", "ACCEPTED"]), "stage", "Production goes back from v2 to v1. Staging keeps v2."],
    ["back from both", situation(["ACCEPTED"]), "limit", `Production and staging are ${left}`],
    ["back from none", situation(["ACCEPTED"]), "stage", `Production is ${left} Staging keeps v1.`],
    [
      "an old version",
      situation(["PENDING", "ACCEPTED"], { id: 1 }),
      "accept",
      "Production and staging keep v2. A newer version is already approved, so this one would not be served.",
    ],
    [
      "none before and after",
      situation(["PENDING"]),
      "limit",
      "Production and staging still have no version of this app: default groups only.",
    ],
    ["unblocked", blocked(["ACCEPTED", "LIMITED"]), "unblock", "Production and staging serve v1 again."],
    [
      "unblocked without any",
      blocked(["ACCEPTED"]),
      "unblock",
      "Production and staging give the app the default groups again, and no version.",
    ],
  ])("%s", (_, of, decision, expected) => expect(effect(of, decision)).toBe(expected));

  it("blocking takes everything", () =>
    expect(effect(situation(["ACCEPTED"]), "block")).toContain("no permissions in staging and production"));
});

describe("what is asked before", () => {
  const nothing = { isImmediate: true, typed: null };
  const look = { isImmediate: false, typed: null };
  it.each<[string, Situation, Decision, object]>([
    ["nothing for what touches staging alone", situation(["PENDING"]), "stage", nothing],
    ["nothing while another version stays in production", situation(["ACCEPTED", "LIMITED"]), "stage", nothing],
    ["a look at the effect for what reaches production", situation(["STAGING"]), "accept", look],
    ["a look at the effect for what reaches the directory", situation(["PENDING"]), "limit", look],
    ["a look at the effect for another version of production", situation(["ACCEPTED", "ACCEPTED"]), "stage", look],
    ["a look at the effect for the end of a block", blocked(["LIMITED"]), "unblock", look],
    ["nothing typed for what production does not serve", situation(["ACCEPTED", "STAGING"]), "limit", { typed: null }],
    ["nothing typed without production", situation(["STAGING"]), "limit", { typed: null }],
    ["nothing typed for an app that is blocked", blocked(["LIMITED"]), "block", { typed: null }],
    ["a typed word for what goes back to staging", situation(["ACCEPTED"]), "stage", { typed: "production" }],
    ["a typed word for what leaves production", situation(["ACCEPTED"]), "limit", { typed: "production" }],
    ["finding E2: the app's name before it is blocked", situation(["PENDING"]), "block", { typed: "name" }],
    ["finding E2: the app's name, in production too", situation(["ACCEPTED"]), "block", { typed: "name" }],
  ])("%s", (_, of, decision, asked) => {
    expect(confirmationOf(of, decidedState(decision))).toEqual({ ...look, ...asked });
  });

  it("a look at the effect where an app is unblocked, although production serves no version before and after", () => {
    const unblocked = { status: "STAGING", isBlocked: false } as const;
    expect(confirmationOf(blocked(["STAGING"]), unblocked)).toEqual(look);
  });
});
