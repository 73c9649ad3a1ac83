import { spawnSync } from "node:child_process";
import { beforeEach, describe, expect, it } from "vitest";
import * as messages from "@/app/api/v1/messages/route";
import * as exported from "@/app/api/v1/ui/messages/export/route";
import { saveFirstData } from "@/lib/exchange/seed/first-data";
import { steps } from "@/lib/exchange/seed/steps";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { send } from "@/test/support/applications";
import { withEmptyDatabase } from "@/test/support/database";
import { aRequest } from "@/test/support/requests";
import { behind } from "@/test/support/stored-records";

withEmptyDatabase();

/** The languages that version 0.1.0 shipped, the German text with an administrator's edit. */
const older = ["de-de", "en-us", "es-es", "fr-fr", "ja-jp"];
beforeEach(async () => {
  const options = { root: process.cwd(), publicBaseUrl: "https://policy.example.com", withExampleApps: false };
  await saveFirstData(
    options,
    steps.filter(({ name }) => ["languages", "consumer messages"].includes(name)),
  );
  for (const record of await ConsumerMessageModel.find({}).lean()) {
    const languages = record.languages.filter(({ languageId }) => older.includes(languageId));
    if (record.category === "Location") Object.assign(languages[0]!, { label: "Ort und Tempo" });
    await behind(ConsumerMessageModel).updateOne({ _id: record._id }, { $set: { languages } });
  }
});

async function exportMessages() {
  const answer = await exported.GET(aRequest("/api/v1/ui/messages/export?environment=staging&format=json"));
  return JSON.parse(await answer.text());
}
const run = (input: unknown, ...languages: string[]) =>
  spawnSync(process.execPath, ["bin/add-message-languages.mjs", ...languages], {
    input: JSON.stringify(input),
    encoding: "utf8",
    maxBuffer: 2 ** 24,
  });

describe("finding A7: languages for an older installation", () => {
  it("are added to its messages in staging; no text that is there changes", async () => {
    const before = await exportMessages();
    const { stdout, stderr } = run(before);
    expect(stderr).toBe("");
    expect(await send(messages.POST, JSON.parse(stdout))).toMatchObject({ status: 200 });
    const after = await exportMessages();
    expect(after.messages).toHaveLength(19);
    for (const [at, message] of after.messages.entries()) {
      expect(message.languages).toHaveLength(20);
      const kept = message.languages.filter((one: any) => older.includes(one.language_id));
      expect({ ...message, languages: kept }).toEqual(before.messages[at]);
    }
    expect(run(after).stdout).toBe('{\n  "messages": []\n}\n');
  });

  it("are those that are asked for", async () => {
    const { stdout } = run(await exportMessages(), "it-it");
    for (const { languages } of JSON.parse(stdout).messages)
      expect(languages.map((one: any) => one.language_id)).toEqual([...older, "it-it"]);
    expect(run(await exportMessages(), "it-it", "xx-yy")).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^Not shipped: xx-yy\. There are en-us, de-de, /),
    });
  });

  it("leave out messages of one's own, deleted ones, and those with another English text", async () => {
    const { messages: all } = await exportMessages();
    const [first, second, third] = all;
    const english = { language_id: "en-us", selected: true, tts: "Other" };
    const own = { message_category: "Own", is_deleted: false, languages: [english] };
    const { stdout, stderr } = run({
      messages: [own, { ...first, is_deleted: true }, { ...second, languages: [english] }, third],
    });
    expect(JSON.parse(stdout).messages.map((one: any) => one.message_category)).toEqual([third.message_category]);
    expect(stderr).toBe(`Left out: ${second.message_category}, whose English text is not the shipped one\n`);
  });
});
