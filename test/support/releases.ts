import { beforeEach } from "vitest";
import * as groups from "@/app/api/v1/groups/route";
import * as messages from "@/app/api/v1/messages/route";
import * as moduleConfigs from "@/app/api/v1/module/route";
import * as releases from "@/app/api/v1/releases/route";
import * as changes from "@/app/api/v1/releases/changes/route";
import * as vehicleData from "@/app/api/v1/vehicle-data/route";
import type { ChangesAnswer } from "@/lib/releases/answer-schema";
import { LanguageModel } from "@/models/language";
import { fetchQuery, send } from "@/test/support/applications";
import { fillOnce } from "@/test/support/content";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { moduleConfigBody } from "@/test/support/module-config";
import { hmiLevels, neededRpcs } from "@/lib/vocabulary/terms";
import { store, storePermission, storeRpcSpecification } from "@/test/support/stored-records";

export const rpcBody = (name: string, levels: readonly string[], parameters: readonly string[] = []) => ({
  name,
  selected: true,
  hmi_levels: levels.map((value) => ({ value, selected: true })),
  parameters: parameters.map((key) => ({ name: key, key, selected: true })),
});

/** What the table needs for the next one to come (rule G10). */
export const neededBodies = neededRpcs.map((name) => rpcBody(name, [...hmiLevels]));

export async function stageGroup(name: string, members: object = {}): Promise<void> {
  await succeed(send(groups.POST, { name, is_default: false, rpcs: [], user_consent_prompt: null, ...members }));
}

export function stageBaseGroup(...rpcs: readonly object[]): Promise<void> {
  const marks = { is_default: true, is_pre_data_consent: true, is_device: true };
  return stageGroup("Base", { ...marks, rpcs: [...neededBodies, ...rpcs] });
}

export async function stageMessage(category: string, members: object = {}): Promise<void> {
  const languages = [{ language_id: "en-us", selected: true, label: category }];
  await succeed(
    send(messages.POST, { messages: [{ message_category: category, is_deleted: false, languages, ...members }] }),
  );
}

export async function stageVehicleData(name: string, members: object = {}): Promise<void> {
  await succeed(send(vehicleData.POST, { name, key: `OEM_${name}`, type: "Integer", params: [], ...members }));
}

export async function stageModuleConfig(members: object = {}): Promise<void> {
  await succeed(send(moduleConfigs.POST, { ...moduleConfigBody, ...members }));
}

async function succeed(answer: ReturnType<typeof send>): Promise<void> {
  const { status, message } = await answer;
  if (status !== 200) throw new Error(`${status} ${message}`);
}

/** What the families of items need besides their records: a language, the RPC specification and permissions. */
export async function storeSurroundings(): Promise<void> {
  await store(async (tx) => {
    const language = { _id: await tx.nextId("languages"), languageId: "en-us" };
    await LanguageModel.insertMany([language], { session: tx.session });
    await storeRpcSpecification(tx);
    await storePermission(tx, "GetVehicleData");
    await storePermission(tx, "gps", "PARAMETER", ["GetVehicleData"]);
  });
}

export async function publishFirst(): Promise<void> {
  await storeSurroundings();
  await stageBaseGroup();
  await stageMessage("Location");
  await stageVehicleData("scent");
  await stageModuleConfig();
  const { status, message } = await publish({ items: "all", name: "First" });
  if (status !== 200) throw new Error(`${status} ${message}`);
}

/** `publishFirst` in an empty database, faster: it is published once in this process. */
export async function beginWithFirstRelease(): Promise<void> {
  await emptyDatabase();
  await fillOnce("first release", publishFirst);
}

/** Each test of the file starts with that release in an empty database. Call it once at the top of the file. */
export function withFirstRelease(): void {
  withDatabase();
  beforeEach(beginWithFirstRelease);
}

export const publish = (body: object) => send(releases.POST, body);

export async function publishAll(): Promise<void> {
  await succeed(publish({ items: "all" }));
}

export async function review(...items: readonly string[]): Promise<ChangesAnswer> {
  const query = items.map((item) => `items=${encodeURIComponent(item)}`).join("&");
  const { data } = await fetchQuery(changes.GET, query === "" ? "" : `?${query}`);
  return data as ChangesAnswer;
}

export async function reviewed(...items: readonly string[]) {
  return (await review(...items)).items.map(({ family, key, id }) => ({ family, key, id }));
}
