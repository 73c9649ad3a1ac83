import { beforeEach, describe, expect, it } from "vitest";
import { groupFamily } from "@/lib/records/groups/commands";
import { messageFamily } from "@/lib/records/messages/commands";
import { moduleConfigFamily } from "@/lib/records/module-config/commands";
import { readRevision } from "@/lib/platform/db/revision";
import { type Promotion, promoteRecords } from "@/lib/releases/publish/promote";
import { findStates } from "@/lib/records/store/queries";
import { AuditEventModel } from "@/models/audit-event";
import { ModuleConfigModel } from "@/models/module-config";
import { testContext, withEmptyDatabase } from "@/test/support/database";
import { stageGroup, stageMessage, stageModuleConfig, storeSurroundings } from "@/test/support/releases";

withEmptyDatabase();
const saveGroup = (name: string, members = {}) => stageGroup(name, { user_consent_prompt: name, ...members });
beforeEach(async () => {
  await storeSurroundings();
  await stageMessage("Seats");
  await saveGroup("Seats");
  await stageModuleConfig();
});

const families = [groupFamily, messageFamily, moduleConfigFamily];
const everything: readonly Promotion[] = families.map((family) => ({ family }));
const promote = (promotions = everything) => promoteRecords(promotions, { force: false }, testContext);
const waiting = async () => {
  const states = await Promise.all(families.map((family) => findStates(family, "staging")));
  return states.map((one) => one.filter(({ status }) => status === "STAGING").length);
};

describe("section 1: several families are promoted in one transaction", () => {
  it("publishes all of them with one revision, in whatever order they need each other", async () => {
    await expect(promote([{ family: groupFamily }])).rejects.toThrow("Consent prompt is not in production: Seats");
    const before = await readRevision();
    await promote();
    expect(await waiting()).toEqual([0, 0, 0]);
    expect(await readRevision()).toBe(before + 1);
    const events = await AuditEventModel.find({ action: /promote$/ }).lean();
    expect(events.map(({ action, revision }) => [action, revision]).sort()).toEqual([
      ["groups.promote", before + 1],
      ["messages.promote", before + 1],
      ["module.promote", before + 1],
    ]);
    await promote();
    expect(await readRevision()).toBe(before + 1);
  });

  it("publishes nothing when one of them must not be", async () => {
    await ModuleConfigModel.updateMany({}, { $set: { expirationTs: new Date(0) } });
    const before = await readRevision();
    await expect(promote()).rejects.toMatchObject({ code: "invalid", message: "The certificate has expired" });
    expect([await waiting(), await readRevision()]).toEqual([[1, 1, 1], before]);
  });

  it("12.4: removes a message together with the last group that asked with it, not without", async () => {
    // Head units take no table without any group or message.
    await stageMessage("Kept");
    await saveGroup("Kept");
    await promote();
    await stageMessage("Seats", { is_deleted: true });
    await expect(promote()).rejects.toThrow("Functional groups in production ask with this message: Seats (Seats)");
    await saveGroup("Seats", { is_deleted: true });
    await promote([{ family: messageFamily }, { family: groupFamily }]);
    expect(await waiting()).toEqual([0, 0, 0]);
  });

  it("publishes of a family only what is asked for", async () => {
    await promote([
      { family: messageFamily, ids: [] },
      { family: moduleConfigFamily },
      { family: groupFamily, ids: [99] },
    ]);
    expect(await waiting()).toEqual([1, 1, 0]);
  });
});
