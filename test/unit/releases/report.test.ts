import { expect, it } from "vitest";
import type { AppsEffect, ItemDiffJson, ReleaseJson } from "@/lib/releases/answer-schema";
import { buildReport } from "@/lib/releases/report";
import { titleOf } from "@/lib/vocabulary/release-items";

const ada = { actor: "publisher", display_name: "Ada", display_name_verified: true };
const release: ReleaseJson = {
  ...{ number: 7, kind: "release", name: "Summer", note: "For the fair\nin May", author: ada, revision: 70 },
  ...{ at: "2026-02-02T16:20:05.000Z", item_count: 2, returned_to: null },
  items: [
    { family: "group", key: "Location-1", before_id: 3, after_id: 9, change: "change", summary: "+RPC Alert" },
    { family: "module_config", key: "", before_id: 1, after_id: 2, change: "change", summary: "timeout 10 → 20" },
  ],
  findings: [
    { level: "finding", rule: "G9", family: "group", key: "Location-1", message: "is too long", remedy: null },
  ],
  reason: "Tried in a car",
  approved_by: { actor: "publisher", display_name: "Bob", display_name_verified: false },
};
const effect: AppsEffect = {
  ...{
    apps_changed: 2,
    apps_new: 0,
    default_changed: false,
    apps_losing: 1,
    apps_gaining: 1,
    apps_asked: 1,
    areas: [],
  },
  apps: [
    { uuid: "a", name: "Podcat", loss: "all", areas: [], prompts: [], rejected: [] },
    {
      ...{ uuid: "b", name: "Wayfold", loss: null, prompts: ["Location"] },
      areas: [{ area: "location", kind: "gained", what: "location" }],
      rejected: [{ rule: "C16", rpcs: ["Alert"], message: "the limit is 0", cure: "raise it" }],
    },
  ],
};
const diff: ItemDiffJson[] = [
  {
    ...({ family: "group", key: "Location-1", change: "change" } as const),
    fields: [
      { path: "rpcs.Alert.hmi_levels", before: null, after: ["FULL", "LIMITED"] },
      { path: "description", before: "Old", after: "" },
    ],
  },
];

it("L1a: tells who made it, when, why, every value before and after, and what changed for apps", () => {
  const report = buildReport({
    release,
    diff,
    effect,
    titleOf,
  });
  expect(report).toBe(`# Release #7 Summer

- Kind: Release
- Published: 2026-02-02 16:20:05 UTC
- By: Ada (verified)
- Approved by: Bob
- Policy revision: 70

> For the fair
> in May

## Published despite problems

Reason: Tried in a car

- functional group Location-1: is too long

## Items

### Changed: functional group Location-1

+RPC Alert

- \`rpcs.Alert.hmi_levels\`: none → FULL, LIMITED
- \`description\`: Old → none

### Changed: Module config

timeout 10 → 20

## Effect on apps

2 apps in production changed. 1 lost permissions, 1 gained permissions, new consent prompts for 1 app.

- Podcat: loses everything
- Wayfold: gains location; drivers are newly asked: Location; cars reject Alert: the limit is 0
`);
});

it("L1a: texts of others stay texts: they are no markup, and begin no line", () => {
  const name = "<img src=x> [a](http://b) `c` | *d*\n# e";
  const report = buildReport({ release: { ...release, name, note: name }, diff: [], effect: null, titleOf });
  const plain = "\\<img src=x\\> \\[a\\](http://b) \\`c\\` \\| \\*d\\*";
  expect(report.split("\n")[0]).toBe(`# Release #7 ${plain} \\# e`);
  expect(report).toContain(`> ${plain}\n> \\# e\n`);
});
