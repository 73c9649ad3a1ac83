import { isDeepStrictEqual } from "node:util";
import type { Asking, Told } from "@/lib/moving/api/asking";
import { readApps } from "@/lib/moving/api/read-apps";
import { readGroups, readMessages, readModuleConfigs, readVehicleData } from "@/lib/moving/api/read-records";
import { nothingGathered } from "@/lib/moving/api/rows";
import { type Loss, readTables, type SdlData } from "@/lib/moving/tables";
import { environments } from "@/lib/words/vocabulary";

/** What no route of that server tells. */
const untold: readonly Loss[] = [
  {
    table: "function_group_info",
    what: "groups, messages, vehicle data and module configs",
    reason:
      "versions before those in staging and production are not told, nor when a deleted group or a config was saved",
  },
  {
    table: "app_oem_enablements",
    what: "blocked apps of which no version is stored",
    reason: "not told: they are no longer blocked when the app directory delivers them again",
  },
  {
    table: "app_permissions",
    what: "all apps",
    reason: "requests for permissions that the other server lacks are not told",
  },
  { table: "app_locale", what: "all apps", reason: "names in other languages are not told" },
  { table: "app_certificates", what: "all apps", reason: "certificates that have ended are not told" },
];

/**
 * Reads what an sdl_server tells of its data through its API (`exchange.md` X6), as the rows that hold them. Asks for nothing
 * that changes anything.
 *
 * @param now stands for times that are not told
 * @returns the rows, and what is not among them
 * @throws whatever `asking` throws; Error with a sentence when answers are not those of an sdl_server, or when somebody has
 *   changed something meanwhile
 */
export async function readApi(
  asking: Asking,
  now: Date,
  told: Told,
): Promise<{ readonly data: SdlData; readonly losses: readonly Loss[] }> {
  const gathered = nothingGathered();
  const before = await readViews(asking);
  await readGroups(asking, gathered, now);
  await readMessages(asking, gathered);
  await readVehicleData(asking, gathered, now);
  await readModuleConfigs(asking, gathered, now);
  await readApps(asking, gathered, now, told);
  if (!isDeepStrictEqual(before, await readViews(asking))) {
    throw new Error("Something has changed on the other server while it was read: begin again when nobody edits there");
  }
  return { data: readTables((name) => gathered.rows[name]), losses: [...untold, ...gathered.losses] };
}

/** All lists; whatever is saved there gets a new id in one of them, or is told in it. */
async function readViews({ ask }: Asking): Promise<readonly unknown[]> {
  const lists = ["/groups", "/messages", "/vehicle-data", "/module"];
  const views = lists.flatMap((path) => environments.map((environment) => ask(path, { query: { environment } })));
  return Promise.all([...views, ask("/applications")]);
}
