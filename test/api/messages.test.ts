import { beforeEach, describe, expect, it, vi } from "vitest";
import * as messages from "@/app/api/v1/messages/route";
import * as names from "@/app/api/v1/messages/names/route";
import * as promote from "@/app/api/v1/messages/promote/route";
import * as update from "@/app/api/v1/messages/update/route";
import { log } from "@/lib/platform/log";
import { neededRpcs } from "@/lib/vocabulary/terms";
import { AuditEventModel } from "@/models/audit-event";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { LanguageModel } from "@/models/language";
import { fetchQuery, raisesRevision, send } from "@/test/support/applications";
import { withEmptyDatabase } from "@/test/support/database";
import { endStubs, serveHttp, type StubAnswer } from "@/test/support/http-stub";
import { anRpcSpecification } from "@/test/support/rpc-specification";
import { useSettings } from "@/test/support/settings";
import { store, storeGroup, storeMessage } from "@/test/support/stored-records";

withEmptyDatabase();
endStubs();
beforeEach(async () => {
  await store(async (tx) => {
    for (const languageId of ["en-us", "de-de", "fr-ca"]) {
      await LanguageModel.insertMany([{ _id: await tx.nextId("languages"), languageId }], { session: tx.session });
    }
  });
});

const done = { status: 200, message: null, data: {} };
const aLanguage = (language_id: unknown, members: Record<string, unknown> = {}) => ({
  language_id,
  selected: true,
  ...members,
});
const aMessage = (partial: Record<string, unknown> = {}) => ({
  message_category: "Location",
  is_deleted: false,
  languages: [aLanguage("en-us", { tts: "Where you are." })],
  ...partial,
});
const save = (...list: unknown[]) => send(messages.POST, { messages: list });
const list = (query = "") => fetchQuery(messages.GET, query);
const publish = (body: unknown) => send(promote.POST, body);
const records = (filter: Record<string, unknown> = {}) => ConsumerMessageModel.find(filter).sort({ _id: 1 }).lean();
const categoriesOf = ({ data }: Awaited<ReturnType<typeof list>>): string[] =>
  data.messages.map((message: any) => message.message_category);
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("GET messages, the list (12.1)", () => {
  it("gives every member, with the English speech and the number of languages", async () => {
    await save(aMessage({ languages: [aLanguage("de-de", { tts: "Wo" }), aLanguage("en-us", { tts: "Where" })] }));
    expect((await list("?environment=staging")).data).toEqual({
      messages: [
        {
          id: 1,
          message_category: "Location",
          status: "STAGING",
          created_ts: timestamp,
          updated_ts: timestamp,
          is_deleted: false,
          languages: [],
          text: "Where",
          language_count: 2,
        },
      ],
    });
    expect((await list()).data).toEqual({ messages: [] });
  });

  it("section 1: shows each view by lower-cased category; staging may hide deletions", async () => {
    await store(async (tx) => {
      await storeMessage(tx, "b", "PRODUCTION");
      await storeMessage(tx, "A", "PRODUCTION");
      await storeMessage(tx, "C", "STAGING");
    });
    await save(aMessage({ message_category: "A", is_deleted: true }));
    expect(categoriesOf(await list())).toEqual(["A", "b"]);
    expect(categoriesOf(await list("?environment=Staging"))).toEqual(["A", "b", "C"]);
    expect(categoriesOf(await list("?environment=staging&hide_deleted=1"))).toEqual(["b", "C"]);
    expect((await fetchQuery(names.GET)).data).toEqual({ names: ["A", "b", "C"] });
  });

  it("gives pages and searches", async () => {
    await save(...["d", "B", "a", "C"].map((message_category) => aMessage({ message_category })));
    const first = await list("?environment=staging&limit=3");
    expect(categoriesOf(first)).toEqual(["a", "B", "C"]);
    const second = await list(`?environment=staging&limit=3&cursor=${first.data.next_cursor}`);
    expect(categoriesOf(second)).toEqual(["d"]);
    expect(second.data.next_cursor).toBeNull();
    expect(categoriesOf(await list("?environment=staging&sort=-id"))).toEqual(["C", "a", "B", "d"]);
    expect(categoriesOf(await list("?environment=staging&search=b"))).toEqual(["B"]);
    expect(categoriesOf(await list("?environment=staging&search=WHERE%20you"))).toHaveLength(4);
  });
});

describe("GET messages, one record and the template (12.1)", () => {
  const nothing = { selected: false, message_category_id: 0, line1: "", line2: "", tts: "", text_body: "", label: "" };

  it("gives all known languages and those stored besides, and the groups that ask with it", async () => {
    await store(async (tx) => {
      await storeGroup(tx, { name: "b", userConsentPrompt: "Location" });
      await storeGroup(tx, { name: "A", userConsentPrompt: "Location", isDeleted: true });
      await storeGroup(tx, { name: "c", userConsentPrompt: "Other" });
      await storeGroup(tx, { name: "d", userConsentPrompt: "Location" });
      await storeGroup(tx, { name: "d" });
    });
    await save(
      aMessage({
        languages: [
          aLanguage("EN-US", { tts: "Where", line2: "", label: "Position" }),
          aLanguage("de-de", { line1: "Wo" }),
        ],
      }),
    );
    await LanguageModel.deleteOne({ languageId: "de-de" });
    expect((await list("?id=1")).data).toEqual({
      messages: [
        {
          id: 1,
          message_category: "Location",
          status: "STAGING",
          is_deleted: false,
          created_ts: timestamp,
          updated_ts: timestamp,
          functional_group_names: ["A", "b"],
          languages: [
            {
              id: 2,
              language_id: "de-de",
              selected: true,
              message_category_id: 1,
              line1: "Wo",
              line2: null,
              tts: null,
              text_body: null,
              label: null,
            },
            {
              id: 1,
              language_id: "en-us",
              selected: true,
              message_category_id: 1,
              line1: null,
              line2: null,
              tts: "Where",
              text_body: null,
              label: "Position",
            },
            { id: 0, language_id: "fr-ca", ...nothing },
          ],
        },
      ],
    });
    expect((await list("?id=2")).data).toEqual({ messages: [] });
  });

  it("prefers the template", async () => {
    const languages = ["de-de", "en-us", "fr-ca"].map((language_id) => ({ id: 0, language_id, ...nothing }));
    expect((await list("?template=true&id=1")).data).toEqual({
      messages: [
        { id: 0, message_category: "", status: "", is_deleted: false, created_ts: 0, updated_ts: 0, languages },
      ],
    });
  });

  it("takes a fetched message back", async () => {
    await save(aMessage());
    const { data } = await list("?id=1");
    expect(await save(data.messages[0])).toEqual(done);
    const again = await list("?id=2");
    const texts = (message: any) => message.languages.map(({ language_id, tts }: any) => [language_id, tts]);
    expect(texts(again.data.messages[0])).toEqual(texts(data.messages[0]));
  });
});

describe("POST messages (12.3)", () => {
  it("saves several, each based on the one before, and drops what is not selected", async () => {
    const unused = { language_id: "zz-zz", selected: false };
    expect(await save(aMessage({ languages: [aLanguage("en-us"), unused] }), aMessage(), aMessage())).toEqual(done);
    expect((await records()).map(({ languages }) => languages.map(({ id }) => id))).toEqual([[1], [2], [3]]);
    const events = await AuditEventModel.find({ action: "messages.save" }).sort({ _id: 1 }).lean();
    expect(events.map(({ before, after }) => [before, after])).toEqual([
      [null, 1],
      [1, 2],
      [2, 3],
    ]);
  });

  it("saves nothing for an empty list, and leaves the revision alone", async () => {
    expect(await raisesRevision(() => save())).toBe(false);
    expect(await save()).toEqual(done);
    expect(await raisesRevision(() => save(aMessage()))).toBe(true);
  });

  it("0.2: stores categories with dots and dollars as plain data", async () => {
    const message_category = "$a.b";
    expect(await save(aMessage({ message_category }))).toEqual(done);
    expect(categoriesOf(await list("?environment=staging"))).toEqual([message_category]);
  });

  it.each([
    [400, "A selected en-us text is required (messages[1])", { languages: [aLanguage("de-de")] }],
    [400, "Unknown language: it-it", { languages: [aLanguage("en-us"), aLanguage("IT-it")] }],
    [409, expect.stringContaining("changed meanwhile"), { base_id: 1 }],
  ])("0.9.3: saves all or none: %i %s", async (status, message, wrong) => {
    await save(aMessage(), aMessage());
    expect(await save(aMessage({ message_category: "Other" }), aMessage(wrong))).toMatchObject({ status, message });
    expect(await records()).toHaveLength(2);
  });

  it("base_id: 409 with nothing beside it for a message that is not there", async () =>
    expect(await save(aMessage({ base_id: 9 }))).toMatchObject({ status: 409, data: { current: null } }));
});

it("POST messages/promote (12.4): gives every text of the copy an id of its own", async () => {
  await save(aMessage({ languages: [aLanguage("en-us", { tts: "a", label: "b" }), aLanguage("de-de")] }));
  expect(await publish({ id: 1 })).toEqual(done);
  expect((await records())[1]?.languages.map(({ id }) => id)).toEqual([3, 4]);
  const message = "id must be an integer or a list of integers";
  expect(await publish({ id: "x" })).toEqual({ status: 400, message, data: {} });
});

describe("messages that functional groups ask with (findings A2 and A3, rule F3)", () => {
  const prompting = { userConsentPrompt: "Location", isDefault: true, isDevice: true, isPreDataConsent: true };
  const deletion = aMessage({ message_category: "Location", is_deleted: true });

  it("12.4: the deletion of a prompt in use is refused, also with force, and names the groups", async () => {
    await store(async (tx) => {
      await storeMessage(tx, "Location", "PRODUCTION");
      for (const name of ["Speed", "Gps"]) await storeGroup(tx, { name, status: "PRODUCTION", ...prompting });
      await storeGroup(tx, { name: "Gone", status: "PRODUCTION", isDeleted: true, ...prompting });
      await storeGroup(tx, { name: "Staged", ...prompting });
    });
    await save(deletion);
    const message = "Functional groups in production ask with this message: Location (Gps, Speed)";
    expect(await publish({ id: 2 })).toEqual({ status: 400, message, data: {} });
    expect(await publish({ id: 2, force: true })).toEqual({ status: 400, message, data: {} });
    expect(await records({ status: "PRODUCTION" })).toHaveLength(1);
  });

  it("12.4: is published once no group in production asks with it", async () => {
    await store(async (tx) => {
      await storeMessage(tx, "Location", "PRODUCTION");
      await storeGroup(tx, { name: "Staged", ...prompting });
      await storeGroup(tx, { name: "Changed", status: "PRODUCTION", ...prompting });
      await storeGroup(tx, { name: "Changed", status: "PRODUCTION", ...prompting, userConsentPrompt: null });
    });
    await save(deletion);
    expect(await publish({ id: 2 })).toEqual(done);
  });

  it("12.3: the save of a deletion tells the groups that it takes from the staging table", async () => {
    await store(async (tx) => {
      await storeMessage(tx, "Location", "PRODUCTION");
      const rpcs = neededRpcs.map((name) => ({ name, levels: ["NONE"], parameters: [] }));
      await storeGroup(tx, { name: "Base", ...prompting, userConsentPrompt: null, rpcs });
      await storeGroup(tx, { name: "Gps", userConsentPrompt: "Location" });
    });
    const { status, data } = await save(deletion);
    expect(status).toBe(200);
    expect(data.findings).toEqual([
      {
        build: "both",
        severity: "danger",
        path: "functional_groupings.Gps",
        rule: "F3 user_consent_prompt",
        message: 'The group "Gps" is left out, because the message "Location" that it asks with is not there.',
      },
    ]);
    expect(await save(deletion)).toEqual(done);
    expect(await save(aMessage({ message_category: "Location" }))).toEqual(done);
  });
});

describe("POST messages/update (12.5)", () => {
  const post = () => send(update.POST, undefined);
  const languages = async () => (await LanguageModel.find().sort({ _id: 1 }).lean()).map((one) => one.languageId);

  // Off: the specification is no part of the directory.
  it.each(["true", "false"])("adds the unknown languages, with EXAMPLE_DIRECTORY=%s", async (isOn) => {
    const stub = await serveHttp(() => ({ body: anRpcSpecification() }));
    useSettings({ RPC_SPEC_URL: stub.url, EXAMPLE_DIRECTORY: isOn });
    expect(await raisesRevision(async () => expect(await post()).toEqual(done))).toBe(true);
    expect(await languages()).toEqual(["en-us", "de-de", "fr-ca", "xx-yy"]);
    expect(await raisesRevision(async () => expect(await post()).toEqual(done))).toBe(false);
    const template = await list("?template=true");
    expect(template.data.messages[0].languages.map((one: any) => one.language_id)).toContain("xx-yy");
  });

  it("0.5: is refused with the reason beside it while RPC_SPEC_URL is off", async () => {
    useSettings({ RPC_SPEC_URL: "off" });
    vi.spyOn(log, "error").mockReturnValue();
    const reason = "RPC_SPEC_URL=off: the RPC specification is not read; the stored languages are unchanged";
    expect(await post()).toEqual({ status: 500, message: "Internal server error", data: { reason } });
  });

  it.each<[string, StubAnswer, string]>([
    ["cannot be downloaded", { status: 404 }, "status 404"],
    ["is no XML", { body: "{}" }, "not well-formed"],
    ["has no languages", { body: "<interface/>" }, "names no languages"],
    ["is cut off", (_, response) => response.destroy(), "could not be downloaded"],
  ])(
    "0.5: 500 with the reason beside it when the specification %s, and nothing is changed",
    async (_, answer, text) => {
      useSettings({ RPC_SPEC_URL: (await serveHttp(() => answer)).url });
      const reason = expect.stringMatching(new RegExp(`${text}.*; the stored languages are unchanged$`));
      vi.spyOn(log, "error").mockReturnValue();
      const work = async () =>
        expect(await post()).toEqual({ status: 500, message: "Internal server error", data: { reason } });
      expect(await raisesRevision(work)).toBe(false);
      expect(await languages()).toEqual(["en-us", "de-de", "fr-ca"]);
    },
  );
});
