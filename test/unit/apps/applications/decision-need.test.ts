import { expect, it } from "vitest";
import { type DecisionMembers, needOfDecision } from "@/lib/apps/applications/decisions";
import { approvalStatuses } from "@/lib/vocabulary/terms";

const aDecision = (part: Partial<DecisionMembers> = {}): DecisionMembers => ({
  approval_status: "ACCEPTED",
  denial_message: null,
  is_blacklisted: false,
  ...part,
});

it.each(approvalStatuses)("section 2: a block of an app that is %s is an editor's", (approval_status) => {
  const before = aDecision({ approval_status });
  expect(needOfDecision(before, { ...before, is_blacklisted: true })).toBe("edit");
  const limited = { approval_status: "LIMITED", denial_message: "Unsafe", is_blacklisted: true } as const;
  expect(needOfDecision(before, limited)).toBe("edit");
});

it("section 2: the end of a block is a publisher's", () =>
  expect(needOfDecision(aDecision({ is_blacklisted: true }), aDecision())).toBe("publish"));

it.each([
  ["PENDING", "STAGING", "edit", "edit"],
  ["STAGING", "PENDING", "edit", "edit"],
  ["PENDING", "ACCEPTED", "publish", "publish"],
  ["STAGING", "ACCEPTED", "publish", "publish"],
  ["ACCEPTED", "STAGING", "publish", "publish"],
  ["ACCEPTED", "PENDING", "publish", "publish"],
  ["PENDING", "LIMITED", "publish", "edit"],
  ["LIMITED", "STAGING", "publish", "publish"],
] as const)("section 2: from %s to %s needs %s, with a block %s", (from, to, need, blocked) => {
  const [before, after] = [aDecision({ approval_status: from }), aDecision({ approval_status: to })];
  expect(needOfDecision(before, after)).toBe(need);
  // A block is no way to approve: what it leaves behind counts once it ends.
  expect(needOfDecision(before, { ...after, is_blacklisted: true })).toBe(blocked);
});
