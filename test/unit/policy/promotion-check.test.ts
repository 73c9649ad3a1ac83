import { expect, it } from "vitest";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import { subtractFindings } from "@/lib/policy/checks/promotion-check";

const finding = (partial: Partial<HeadUnitFinding> = {}): HeadUnitFinding => ({
  build: "both",
  severity: "refused",
  path: "functional_groupings",
  rule: "5 functional_groupings: number of groups",
  message: "there may be at most 255 entries, not 300",
  ...partial,
});

it("finds nothing new when only a count has changed", () =>
  expect(subtractFindings([finding({ message: "there may be at most 255 entries, not 299" })], [finding()])).toEqual(
    [],
  ));

it("finds what another place or another build refuses", () => {
  const other = [finding({ path: "app_policies" }), finding({ build: "external" })];
  expect(subtractFindings([...other, finding()], [finding()])).toEqual(other);
});

it("takes positions in lists for equal, and counts them", () => {
  const at = (index: number) => finding({ path: `app_policies.default.groups[${index}]` });
  expect(subtractFindings([at(3), at(4)], [at(7)])).toEqual([at(4)]);
});
