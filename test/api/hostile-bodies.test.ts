import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import * as groups from "@/app/api/v1/groups/route";
import * as promoteGroups from "@/app/api/v1/groups/promote/route";
import * as messages from "@/app/api/v1/messages/route";
import * as promoteMessages from "@/app/api/v1/messages/promote/route";
import type { RouteHandler } from "@/lib/routes/route";
import { LanguageModel } from "@/models/language";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { runs } from "@/test/support/extent";
import { aRequest, readAnswer } from "@/test/support/requests";
import { forgetSettings } from "@/test/support/settings";

withDatabase();
forgetSettings();
beforeEach(async () => {
  await emptyDatabase();
  await LanguageModel.create({ _id: 1, languageId: "en-us" });
});

const level = { value: "FULL", selected: true };
const rpc = { name: "Show", selected: true, hmi_levels: [level], parameters: [{ key: "a", selected: true }] };
const group = { name: "Base", is_default: true, rpcs: [rpc], description: null, is_deleted: false, base_id: null };
const english = { language_id: "en-us", selected: true, tts: "a", line1: null };
const message = { message_category: "Location", is_deleted: false, languages: [english] };

const routes: readonly (readonly [name: string, handler: RouteHandler, body: object])[] = [
  ["groups", groups.POST, group],
  ["groups/promote", promoteGroups.POST, { id: [1, 2], force: true }],
  ["messages", messages.POST, { messages: [message, message] }],
  ["messages/promote", promoteMessages.POST, { id: 1, force: false }],
];

const hostile = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    { $gt: "" },
    { $where: "sleep(1)" },
    { "a.b": 1 },
    "\u0000",
    "a\u0000b",
    "\ud800",
    "x\udfff",
    "$where",
    "__proto__",
    "a.b",
    1e99,
    -0,
    0.1,
    "9".repeat(400),
    "x".repeat(70_000),
    [[[[[[]]]]]],
  ),
);

/** All places in a value, as paths of members and positions. */
function pathsOf(value: unknown): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [[]];
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const members: Record<string | number, unknown> = value as any;
  return [[], ...steps.flatMap((step) => pathsOf(members[step]).map((path) => [step, ...path]))];
}

function replaceAt(value: any, [step, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (step === undefined) return by;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[step] = replaceAt(copy[step], rest, by);
  return copy;
}

describe("0.2: whatever a body holds, the answer is no 500", () => {
  it.each(routes)("POST %s", async (_, handler, body) => {
    const place = fc.constantFrom(...pathsOf(body));
    await fc.assert(
      fc.asyncProperty(place, hostile, async (path, value) => {
        const response = await handler(aRequest("/api/v1/x", { body: replaceAt(body, path, value) ?? null }));
        const { meta } = await readAnswer(response);
        expect([200, 400, 409], `${meta.message}`).toContain(response.status);
      }),
      { numRuns: runs(150) },
    );
  });

  it("and names survive as they were sent", async () => {
    for (const name of ["$where", "__proto__", "constructor", "a.b", "a\u0001b", "🚗", "\uffff"]) {
      await handlerAnswers(groups.POST, { ...group, name });
    }
    await handlerAnswers(promoteGroups.POST, { id: [1, 2, 3, 4, 5, 6, 7] });
    const { data } = await readAnswer(await groups.GET(aRequest("/api/v1/groups?sort=id")));
    expect(data.groups.map((one: any) => one.name)).toEqual([
      "$where",
      "__proto__",
      "constructor",
      "a.b",
      "a\u0001b",
      "🚗",
      "\uffff",
    ]);
  });
});

async function handlerAnswers(handler: RouteHandler, body: unknown) {
  const response = await handler(aRequest("/api/v1/x", { body }));
  expect(response.status).toBe(200);
}
