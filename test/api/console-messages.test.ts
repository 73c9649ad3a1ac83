import { beforeEach, describe, expect, it } from "vitest";
import * as messages from "@/app/api/v1/messages/route";
import * as promote from "@/app/api/v1/messages/promote/route";
import * as exported from "@/app/api/v1/ui/messages/export/route";
import { findMessageOfPage, listTakenNames, loadMessageOverview } from "@/lib/records/messages/console-queries";
import { messagesPageQuery } from "@/lib/records/messages/console-schema";
import { LanguageModel } from "@/models/language";
import { send } from "@/test/support/applications";
import { parseCsv } from "@/test/support/csv";
import { withEmptyDatabase } from "@/test/support/database";
import { aRequest } from "@/test/support/requests";
import { store, storeGroup } from "@/test/support/stored-records";

withEmptyDatabase();
beforeEach(async () => {
  await store(async (tx) => {
    for (const languageId of ["en-us", "de-de"]) {
      const _id = await tx.nextId("languages");
      await LanguageModel.insertMany([{ _id, languageId }], { session: tx.session });
    }
  });
});

const save = (category: string, { tts = "Where you are", isDeleted = false } = {}) =>
  send(messages.POST, {
    messages: [
      {
        message_category: category,
        is_deleted: isDeleted,
        languages: [
          { language_id: "en-us", selected: true, tts },
          { language_id: "de-de", selected: true, tts: "Wo Sie sind" },
        ],
      },
    ],
  });
const load = (query: Record<string, string> = {}) => loadMessageOverview(messagesPageQuery.parse(query));
async function publishAll() {
  const { matching } = await load();
  await send(promote.POST, { id: matching });
}
const addGroup = (name: string, userConsentPrompt: string, status: "STAGING" | "PRODUCTION") =>
  store((tx) => storeGroup(tx, { name, status, userConsentPrompt }));

describe("overview of messages (2.7)", () => {
  it("shows both views, with what waits and whether it is new", async () => {
    await save("Location");
    await publishAll();
    await save("Location", { tts: "Where you really are" });
    await save("Parking");
    const staging = await load();
    expect(staging).toMatchObject({ total: 2, unfiltered: 2, languages: [{ id: "de-de" }, { id: "en-us" }] });
    expect(staging.rows).toEqual([
      expect.objectContaining({ category: "Location", status: "STAGING", isNew: false, languageCount: 2 }),
      expect.objectContaining({ category: "Parking", status: "STAGING", isNew: true }),
    ]);
    expect(staging.matching).toEqual(staging.rows.map(({ id }) => id));
    const production = await load({ environment: "production" });
    expect(production.rows).toEqual([expect.objectContaining({ preview: "Where you are", status: "PRODUCTION" })]);
    expect([production.waiting, production.matching]).toEqual([0, []]);
  });

  it("finding A7: says what each language adds to the table of the environment, whatever the filters", async () => {
    await save("Location");
    const sizes = async (query: Record<string, string>) => (await load(query)).sizes;
    expect(await sizes({ environment: "production" })).toMatchObject({ messageCount: 0, languages: [] });
    const languages = [
      { languageId: "de-de", messageCount: 1, plain: '"de-de":{"tts":"Wo Sie sind"},'.length },
      { languageId: "en-us", messageCount: 1, plain: '"en-us":{"tts":"Where you are"},'.length },
    ];
    expect(await sizes({ q: "nothing", missing: "de-de" })).toMatchObject({ messageCount: 1, languages });
    await publishAll();
    expect(await sizes({ environment: "production" })).toMatchObject({ messageCount: 1, languages });
  });

  it("says which groups ask with a message", async () => {
    await save("Location");
    const staged = await addGroup("Location-1", "Location", "STAGING");
    expect((await load()).rows[0]?.uses).toEqual([
      { category: "Location", name: "Location-1", stagingId: staged, productionId: null, isWaiting: true },
    ]);
    await publishAll();
    const promoted = await addGroup("Location-1", "Location", "PRODUCTION");
    await save("Location", { isDeleted: true });
    const { rows } = await load();
    expect(rows[0]?.uses).toEqual([expect.objectContaining({ stagingId: promoted, productionId: promoted })]);
  });

  it("gives one page of the rows and tells what the filters let pass", async () => {
    for (const name of ["A", "B", "C"]) await save(name);
    const { rows, total, counts, waiting, matching } = await load({ q: "b" });
    // Finding E4: whatever the filters are.
    expect(counts).toEqual({ all: 3, modified: 3, new: 3, edited: 0, deleted: 0, production: 0 });
    expect([rows.map(({ category }) => category), total]).toEqual([["B"], 1]);
    expect([waiting, matching]).toEqual([3, rows.map(({ id }) => id)]);
    expect((await load({ cursor: "2" })).rows.map(({ category }) => category)).toEqual(["C"]);
    expect(await load({ cursor: "50", size: "25" })).toMatchObject({ after: 0, total: 3 });
    for (let more = 0; more < 23; more++) await save(`D${more}`);
    const beyond = await load({ cursor: "900", size: "25" });
    expect([beyond.after, beyond.rows.length, beyond.total]).toEqual([25, 1, 26]);
  });
});

const ask = (query: string) => exported.GET(aRequest(`/api/v1/ui/messages/export${query}`));

it("GET ui/messages/export: sends what the filters let pass, as a table and as a body that a save takes", async () => {
  await save("Location");
  await save("Parking", { tts: "=Free places" });
  const lines = parseCsv((await (await ask("?q=free&cursor=50")).text()).replace(/^\uFEFF/, ""));
  expect(lines.map((cells) => cells.slice(0, 5))).toEqual([
    ["message_category", "status", "language_id", "language", "tts"],
    // What a spreadsheet would run is made text.
    ["Parking", "staging", "en-us", "English (United States)", "'=Free places"],
    ["Parking", "staging", "de-de", "German (Germany)", "Wo Sie sind"],
  ]);
  const answer = await ask("?format=json");
  expect(answer.headers.get("content-disposition")).toMatch(/consumer-messages-staging-.*\.json/);
  const body = await answer.json();
  expect(body.messages.map((message: any) => message.message_category)).toEqual(["Location", "Parking"]);
  expect((await send(messages.POST, body)).status).toBe(200);
  expect((await ask("?format=xml")).status).toBe(400);
});

describe("page of a message (2.8)", () => {
  it("shows the newest version of the message that an id belongs to, in the environment that is asked for", async () => {
    await save("Location");
    await publishAll();
    await save("Location", { tts: "Newer" });
    const [first, promoted, newest] = [1, 2, 3];
    expect(await findMessageOfPage({ id: first }, "staging")).toMatchObject({
      message: { id: newest },
      isInProduction: true,
    });
    expect(await findMessageOfPage({ id: newest }, "production")).toMatchObject({ message: { id: promoted } });
    expect(await findMessageOfPage({ category: "Location" }, undefined)).toMatchObject({ environment: "staging" });
  });

  it("follows the item's own status when the address names no environment", async () => {
    await save("Location");
    expect(await findMessageOfPage({ id: 1 }, undefined)).toMatchObject({ environment: "staging" });
    await publishAll();
    expect(await findMessageOfPage({ id: 2 }, undefined)).toMatchObject({ environment: "production" });
  });

  it("finds nothing that is not there", async () => {
    await save("Location");
    expect(await findMessageOfPage({ id: 77 }, "staging")).toBeNull();
    expect(await findMessageOfPage({ category: "Nowhere" }, "staging")).toBeNull();
    expect(await findMessageOfPage({ id: 1 }, "production")).toBeNull();
  });

  it("knows the names that are taken, and those of removed messages", async () => {
    await save("Location");
    await save("Gone");
    await publishAll();
    await save("Gone", { isDeleted: true });
    expect(await listTakenNames()).toContainEqual({ name: "Gone", id: 5, isVisible: true });
    await publishAll();
    expect((await listTakenNames()).toSorted((one, other) => one.id - other.id)).toEqual([
      { name: "Location", id: 3, isVisible: true },
      { name: "Gone", id: 6, isVisible: false },
    ]);
    expect(await findMessageOfPage({ category: "Gone" }, "production")).toBeNull();
    expect(await findMessageOfPage({ category: "Gone" }, "staging")).toMatchObject({ message: { is_deleted: true } });
  });
});
