import { checkPolicyTable } from "@/lib/policy/head-unit/head-unit-check";
import { type HeadUnitFinding, Spot } from "@/lib/policy/head-unit/finding";
import { isObject, type JsonObject, text } from "@/lib/policy/head-unit/values";

/** Values that are filtered from updates, but are errors in a preloaded table (`head-unit-rules.md` section 2). */
const strictRules: ReadonlySet<string> = new Set(["3 app priority", "3 hmi_levels", "3 moduleType"]);
const rule = "2 preloaded table";

/** Like an update, but with the members that only a preloaded table may have, and without the filters for updates. */
export function checkPreloadedTable(table: unknown): readonly HeadUnitFinding[] {
  if (!isObject(table)) return checkPolicyTable(table);
  const config = isObject(table["module_config"]) ? table["module_config"] : null;
  const { preloaded_pt: isPreloaded, preloaded_date: date, ...rest } = config ?? {};
  const findings = checkPolicyTable(config === null ? table : { ...table, module_config: rest }).map(strictly);
  const own: HeadUnitFinding[] = [];
  const spot = Spot.root(own, rule);
  const here = spot.at("module_config");
  if (isPreloaded !== true) here.at("preloaded_pt").warn("does not know that this table is a preloaded one");
  if (date !== undefined && date !== "") text({ min: 0, max: 10 })(date, here.at("preloaded_date"));
  for (const name of ["vehicle_make", "vehicle_model", "vehicle_year"]) {
    const value = rest[name];
    if (typeof value === "string" && value !== "") here.at(name).refuse(`${name} may not be in a preloaded table`);
  }
  if (!isObject(table["consumer_friendly_messages"]))
    spot.at("consumer_friendly_messages").for("regular").refuse("a preloaded table must have this section");
  if (date !== undefined && date !== "")
    here
      .at("preloaded_date")
      .for("regular")
      .warn("does not store this date, and lays this table over newer ones at every start");
  checkGroupCounts(table, spot);
  return [...findings, ...own];
}

function strictly(finding: HeadUnitFinding): HeadUnitFinding {
  if (finding.severity !== "corrected" || !strictRules.has(finding.rule)) return finding;
  const message =
    "A head unit refuses the whole table: it does not know this value, and filters none of a table it is built with.";
  return { ...finding, severity: "refused", message };
}

function checkGroupCounts(table: JsonObject, spot: Spot): void {
  const { functional_groupings: groupings, app_policies: policies } = table;
  const most = isObject(groupings) ? Object.keys(groupings).length : 0;
  for (const [id, policy] of Object.entries(isObject(policies) ? policies : {})) {
    const groups = isObject(policy) ? policy["groups"] : undefined;
    if (!Array.isArray(groups) || groups.length <= most) continue;
    spot.at("app_policies").at(id).at("groups").refuse("the app has more groups than there are in the table");
  }
}
