import { beforeEach, describe, expect, it } from "vitest";
import * as groups from "@/app/api/v1/groups/route";
import * as promoteGroups from "@/app/api/v1/groups/promote/route";
import * as messages from "@/app/api/v1/messages/route";
import * as promoteMessages from "@/app/api/v1/messages/promote/route";
import * as vehicleData from "@/app/api/v1/vehicle-data/route";
import * as promoteVehicleData from "@/app/api/v1/vehicle-data/promote/route";
import { send } from "@/test/support/applications";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { forgetSettings } from "@/test/support/settings";
import { store } from "@/test/support/stored-records";
import { AuditEventModel } from "@/models/audit-event";
import { LanguageModel } from "@/models/language";

withDatabase();
forgetSettings();
beforeEach(async () => {
  await emptyDatabase();
  await store(async (tx) => {
    await LanguageModel.insertMany([{ _id: await tx.nextId("languages"), languageId: "en-us" }], {
      session: tx.session,
    });
  });
});

type Members = Readonly<Record<string, unknown>>;

/** One thing of each family whose records have keys; ids count from 1. */
const families = [
  {
    family: "groups",
    save: (members: Members) => send(groups.POST, { name: "Thing", is_default: false, rpcs: [], ...members }),
    promote: (id: number) => send(promoteGroups.POST, { id }),
  },
  {
    family: "messages",
    save: (members: Members) =>
      send(messages.POST, {
        messages: [
          {
            message_category: "Thing",
            is_deleted: false,
            languages: [{ language_id: "en-us", selected: true, tts: "a" }],
            ...members,
          },
        ],
      }),
    promote: (id: number) => send(promoteMessages.POST, { id }),
  },
  {
    family: "vehicle-data",
    save: (members: Members) => send(vehicleData.POST, { name: "Thing", key: "T", type: "Integer", ...members }),
    promote: () => send(promoteVehicleData.POST, {}),
  },
];

describe.each(families)("one life of all records: $family", ({ family, save, promote }) => {
  it("is begun once, edited from its newest record, deleted, and free again when that is promoted", async () => {
    const statusOf = async (members: Members) => (await save(members)).status;
    expect(await statusOf({ base_id: 0 })).toBe(200);
    expect(await statusOf({ base_id: 0 })).toBe(409);
    expect(await statusOf({ base_id: 1 })).toBe(200);
    expect(await statusOf({ base_id: 1 })).toBe(409);
    expect(await statusOf({ base_id: 2, is_deleted: true })).toBe(200);
    // In production it is still there.
    expect(await statusOf({ base_id: 0 })).toBe(409);
    expect((await promote(3)).status).toBe(200);
    expect(await statusOf({ base_id: 3 })).toBe(409);
    expect(await statusOf({ base_id: 0 })).toBe(200);
    expect((await promote(5)).status).toBe(200);
    const events = await AuditEventModel.find({ action: { $ne: "releases.publish" } })
      .sort({ _id: 1 })
      .lean();
    expect(events.map(({ action, before, after }) => [action, before, after])).toEqual([
      [`${family}.save`, null, 1],
      [`${family}.save`, 1, 2],
      [`${family}.delete`, 2, 3],
      [`${family}.promote`, 3, 4],
      [`${family}.save`, 4, 5],
      [`${family}.promote`, 5, 6],
    ]);
  });

  it("tells who was too late what there is and what they sent, in the same form", async () => {
    await save({});
    const { status, message, data } = await save({ base_id: 7 });
    expect(status).toBe(409);
    expect(message).toMatch(/ was changed meanwhile; base_id is not its newest record$/);
    expect(data.current.id).toBe(1);
    expect(Object.keys(data.current)).toEqual(expect.arrayContaining(Object.keys(data.submitted)));
  });
});
