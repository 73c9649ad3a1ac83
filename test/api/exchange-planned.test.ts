import { beforeEach, expect, it } from "vitest";
import * as exchange from "@/app/api/v1/exchange/route";
import { content, firstData } from "@/test/support/content";
import { withEmptyDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";

withEmptyDatabase();
beforeEach(() => firstData());

const format = "open-policy/1";
const aGroup = (name: string, description: string) => ({
  ...{ name, description },
  rpcs: [{ name: "Show", hmi_levels: ["FULL"] }],
});
const send = async (groups: readonly object[], more: object = {}) => {
  const body = { document: { format, groups }, ...more };
  return readAnswer(await exchange.POST(aRequest("/api/v1/exchange", { method: "POST", body })));
};
async function plan(groups: readonly object[], more: object = {}) {
  const { data } = await send(groups, { ...more, dry_run: true });
  return data.items.map(({ family, key, digest }: any) => ({ family, key, digest }));
}
it("X2b: an import does what its plan says", async () => {
  const file = [aGroup("New-1", "a"), aGroup("New-2", "a")];
  const answer = await send(file, { planned: await plan(file) });
  expect([answer.meta.code, answer.data.items.map(({ key }: any) => key)]).toEqual([200, ["New-1", "New-2"]]);
  expect((await send(file, { planned: [] })).meta.code).toBe(200);
});

it.each([
  ["an item that staging has otherwise", [aGroup("New-1", "b")], ["New-1"]],
  ["an item that staging has as planned by now", [aGroup("New-2", "a")], ["New-2"]],
  ["an item that was planned as equal", [aGroup("Same-1", "b")], ["Same-1"]],
])("X2b: refuses %s, and leaves no trace", async (_what, meanwhile, moved) => {
  await send([aGroup("Same-1", "a")]);
  const file = [aGroup("New-1", "a"), aGroup("New-2", "a"), aGroup("Same-1", "a")];
  const planned = await plan(file);
  await send(meanwhile);
  const before = await content();
  const { meta, data } = await send(file, { planned });
  expect([meta.code, meta.message]).toEqual([
    409,
    `Nothing was imported: staging or the file differs from the plan in functional group ${moved.join()}`,
  ]);
  expect(data).toEqual({ moved: moved.map((key) => ({ family: "group", key })) });
  expect(await content()).toEqual(before);
});

it("X2b: refuses another file, other items and what prune would delete besides", async () => {
  const many = Array.from({ length: 12 }, (_, index) => aGroup(`New-${index + 10}`, "a"));
  const { meta } = await send(many, { planned: [] });
  expect([meta.code, meta.message]).toEqual([409, expect.stringMatching(/ New-10, .* New-19 and 2 more$/)]);
  const one = [aGroup("New-1", "a")];
  const planned = await plan(one);
  expect((await send([aGroup("New-1", "b")], { planned })).data.moved).toEqual([{ family: "group", key: "New-1" }]);
  const pruning = await send(one, { planned, prune: true });
  expect([pruning.meta.code, pruning.data.moved]).toEqual([
    409,
    expect.arrayContaining([{ family: "group", key: "Base-4" }]),
  ]);
  const wrong = await send(one, { planned: { digest: "d" } });
  expect([wrong.meta.code, wrong.meta.message]).toEqual([400, "planned must be a list of {family, key, digest}"]);
});
