import { answers, type ApplicationAnswer, readAnswer, type TableEntry } from "@/lib/moving/api/answers";
import { type Asking, forAll } from "@/lib/moving/api/asking";
import type { Gathered } from "@/lib/moving/api/rows";
import { groupBy } from "@/lib/moving/tables";
import { appHmiTypes } from "@/lib/policy/head-unit/words";
import { type Environment, environments } from "@/lib/words/vocabulary";

/** What the tables of both environments say of an app that they grant something to. */
export type Entries = ReadonlyMap<string, readonly (TableEntry & { readonly environment: Environment })[]>;

const perBatch = 500;
/** The newest version with one of these decisions is the one in the table (`policy-table.md` A4). */
const decides: Readonly<Record<Environment, ReadonlySet<string>>> = {
  staging: new Set(["STAGING", "ACCEPTED"]),
  production: new Set(["ACCEPTED"]),
};

/** Asks for the entries of all apps: they tell what no route for administrators does. */
export async function readEntries({ ask }: Asking, uuids: readonly string[]): Promise<Entries> {
  const batches = Array.from({ length: Math.ceil(uuids.length / perBatch) }, (_, index) =>
    uuids.slice(index * perBatch, (index + 1) * perBatch),
  );
  const calls = batches.flatMap((batch) => environments.map((environment) => ({ batch, environment })));
  const tables = await forAll(calls, async ({ batch, environment }) => {
    const app_policies = Object.fromEntries(batch.map((uuid) => [uuid, null]));
    const body = { policy_table: { app_policies, module_config: { full_app_id_supported: true } } };
    const data = await ask("/policy/apps", { method: "POST", query: { environment }, body });
    const { app_policies: entries } = readAnswer(answers.segment, data, "/policy/apps")[0].policy_table;
    return { environment, entries };
  });
  const entriesOf = (uuid: string) =>
    tables.flatMap(({ environment, entries }) => {
      const { data } = answers.entry.safeParse(entries[uuid]);
      return data === undefined ? [] : [{ ...data, environment }];
    });
  return new Map(uuids.map((uuid) => [uuid, entriesOf(uuid)]));
}

/**
 * Adds the categories with their HMI types. Apps do not tell the type of a category, but tables have the types of an app in
 * the order of its categories. Of a category that no app in a table has, the type is its displayed name, if it is one.
 *
 * @param applications all versions, the newest last
 */
export function addCategories(
  applications: readonly ApplicationAnswer[],
  entries: Entries,
  { rows, losses }: Gathered,
): void {
  const displayed = new Map(applications.flatMap((app) => app.categories.map((one) => [one.id, one.display_name])));
  const types = new Map<number, string>();
  const versionsOf = groupBy(applications, ({ uuid }) => uuid);
  for (const [uuid, told] of entries) {
    for (const { environment, AppHMIType: names } of told) {
      const granted = versionsOf(uuid).findLast((app) => decides[environment].has(app.approval_status));
      const ids = granted?.categories.map(({ id }) => id).sort((a, b) => a - b) ?? [];
      if (names.length === ids.length) for (const [index, id] of ids.entries()) types.set(id, names[index] ?? "");
    }
  }
  for (const [id, display_name] of [...displayed].sort(([a], [b]) => a - b)) {
    const guessed = display_name?.trim().toUpperCase().replaceAll(/[ -]+/g, "_");
    const name = types.get(id) ?? (appHmiTypes.has(guessed) ? guessed : undefined) ?? null;
    rows.categories.push({ id, display_name: display_name ?? "", name });
    if (types.has(id)) continue;
    const reason =
      name === null ? "no table tells its HMI type" : `taken for the HMI type ${name}, which no table tells`;
    losses.push({ table: "categories", what: `category ${display_name ?? id}`, reason });
  }
}
