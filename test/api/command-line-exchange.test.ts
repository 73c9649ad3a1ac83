import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as releasesRoute from "@/app/api/v1/releases/route";
import { runCommand } from "@/test/support/command-line";
import { firstData } from "@/test/support/content";
import { send, storeApp } from "@/test/support/applications";
import { withDatabase } from "@/test/support/database";
import { stageGroup } from "@/test/support/releases";
import { serveRoutes } from "@/test/support/served-routes";
import { temporaryFolder } from "@/test/support/temporary-folder";

withDatabase();
const folder = temporaryFolder();
let environment = {};
beforeAll(async () => {
  environment = { OPEN_POLICY_URL: await serveRoutes() };
  await firstData();
});
const run = (...args: string[]) => runCommand(args, environment);
const group = path.join(folder, "groups/Base-4.yaml");
const read = (file: string) => readFileSync(file, "utf8");

it("X4: export, edit, diff, import and export again: comments stay, exit codes tell what differs", async () => {
  const exported = await run("export", folder);
  expect([exported.code, exported.err]).toEqual([0, ""]);
  expect(exported.out).toMatch(/^(\d+) files in .*: \1 written, 0 removed\n$/);
  expect((await run("export", folder)).out).toContain(" 0 written, 0 removed");
  expect((await run("diff", folder, "--prune")).code).toBe(0);

  writeFileSync(group, `# ours\n${read(group)}`.replace(/^description: .*/m, "description: Edited # by hand"));
  const diff = await run("diff", folder);
  expect([diff.code, diff.out]).toEqual([
    3,
    expect.stringMatching(
      /^~ group Base-4\n {4}description: .* → "Edited"\n! warning: group Base-4: .*changes nothing in the policy table\n1 items differ from staging\n$/,
    ),
  ]);
  expect((await run("import", folder, "--dry-run")).code).toBe(0);
  expect((await run("diff", folder)).code).toBe(3);
  const imported = await run("import", folder, "--json");
  expect([imported.code, JSON.parse(imported.out).items.length]).toEqual([0, 1]);
  expect((await run("diff", folder)).code).toBe(0);
  const edited = read(group);
  await run("export", folder, "--environment", "staging");
  expect(read(group)).toBe(edited);
  await run("export", folder);
  expect(read(group)).not.toContain("Edited");
  expect(read(group)).toContain("# ours\n");
});

it("X4: a file of an item that is gone is removed, one of another kind is not", async () => {
  writeFileSync(path.join(folder, "groups/gone.yaml"), "name: Gone\nrpcs: []\n");
  writeFileSync(path.join(folder, "README.md"), "ours");
  expect((await run("export", folder)).out).toContain("1 removed");
  expect([existsSync(path.join(folder, "groups/gone.yaml")), existsSync(path.join(folder, "README.md"))]).toEqual([
    false,
    true,
  ]);
});

it("X4: one file of JSON does as well", async () => {
  const file = `${folder}.json`;
  afterAll(() => rmSync(file));
  expect((await run("export", file, "--environment", "staging")).code).toBe(0);
  expect((await run("diff", file, "--prune")).code).toBe(0);
  const text = read(file);
  const line = text.slice(0, text.indexOf('"hmi_levels": [')).split("\n").length + 1;
  writeFileSync(file, text.replace(/("hmi_levels": \[\s*")/, "$1X"));
  const { code, err } = await run("diff", file);
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(`^${file}:${line}: groups\\.0\\.rpcs\\.0\\.hmi_levels\\.0 has an`),
  ]);
});

it("X4: what is refused names the file or the item: 1", async () => {
  const empty = await run("import", path.join(folder, "nothing"));
  expect([empty.code, empty.err]).toEqual([1, expect.stringContaining("holds no files of a policy")]);
  const before = read(group);
  const { out } = await run("diff", folder);
  for (const [text, sentence] of [
    ["name: [1", "groups/Base-4.yaml is not YAML"],
    ["name: Base-4\nrpcs: []\nis_defualt: true\n", "groups/Base-4.yaml:1 has the unknown member is_defualt"],
    [
      "name: Base-4\nrpcs:\n  - name: Show\n    hmi_levels: [full]\n",
      "groups/Base-4.yaml:4: rpcs.0.hmi_levels.0 has an",
    ],
    ["name: Other\nrpcs: []\nis_default: true\nuser_consent_prompt: Nowhere\n", "Consent prompt not found: Nowhere"],
    [`name: ${"é".repeat(128)}\nrpcs: []\n`, "name is longer than 255 bytes (groups/Base-4.yaml:1)"],
  ] as const) {
    writeFileSync(group, text);
    const { code, err } = await run("import", folder);
    expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
  }
  writeFileSync(group, before);
  expect((await run("diff", folder)).out).toBe(out);
});

it("W10, G7: a plan of one item publishes that item while others wait, two of them apps, and nothing that has changed", async () => {
  await run("export", folder, "--environment", "staging");
  for (const name of ["Others-1", "Others-2", "Others-3"]) await stageGroup(name);
  await storeApp("11111111-aaaa-4bbb-8ccc-0000000000b1", "STAGING");
  await storeApp("22222222-aaaa-4bbb-8ccc-0000000000b2", "STAGING");
  const plan = path.join(folder, "plan.out");
  writeFileSync(group, read(group).replace(/^description: .*/m, "description: Planned"));
  expect((await run("diff", folder, "--out", plan)).code).toBe(3);
  const planned = JSON.parse(read(plan));
  expect(planned.items).toEqual([
    { family: "group", key: "Base-4", from: expect.any(Number), to: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);

  const wrongPlan = path.join(temporaryFolder(), "plan.json");
  writeFileSync(wrongPlan, read(plan).replace(/"from": \d+/, '"from": "x"'));
  const wrong = await run("publish", "--plan", wrongPlan);
  expect([wrong.code, wrong.err]).toEqual([1, `${wrongPlan}:6: items.0.from must be a number\n`]);
  const early = await run("publish", "--plan", plan);
  expect([early.code, early.err]).toEqual([1, expect.stringContaining("make another plan: functional group Base-4")]);
  await run("import", folder);
  const told = await run("publish");
  expect([told.code, told.out]).toEqual([2, expect.stringContaining("--all takes everything")]);

  const forged = { ...planned, items: [{ ...planned.items[0], from: null }] };
  expect(await send(releasesRoute.POST, { plan: forged })).toMatchObject({
    status: 400,
    message: "plan is not as it was made: its digest differs",
  });
  expect(await send(releasesRoute.POST, { plan: planned, items: "all" })).toMatchObject({ status: 400 });
  await stageGroup("Base-4", { description: "Somebody else's", is_default: true });
  expect((await run("publish", "--plan", plan)).code).toBe(1);
  expect((await run("import", folder)).code).toBe(0);
  const published = await run("publish", "--plan", plan, "--json");
  expect([published.err, published.code]).toEqual(["", 0]);
  expect(JSON.parse(published.out).release.items).toMatchObject([{ family: "group", key: "Base-4" }]);

  expect((await run("diff", folder, "--out", plan)).code).toBe(0);
  expect(await run("publish", "--plan", plan)).toMatchObject({
    code: 0,
    out: expect.stringContaining("names nothing"),
  });
});
