import { manyOf } from "@/test/support/valid-table";
import { bytes255, bytes256, danger, external, group, rowsOf, rpc, words, type Row } from "./row";

const { missing, nullAt, only, row } = rowsOf("5 functional_groupings");

export const section5: readonly Row[] = [
  row(
    "number of groups",
    "at most 255",
    ["functional_groupings"],
    { Base: { rpcs: null }, Location: { rpcs: null }, ...manyOf(253, () => ({ rpcs: null })) },
    { Base: { rpcs: null }, Location: { rpcs: null }, ...manyOf(254, () => ({ rpcs: null })) },
  ),
  only("number of groups", "at least one", ["functional_groupings"], {}),
  row("group", "null (section 9)", group(), { rpcs: null }, null),
  missing("rpcs", group("rpcs")),
  row("rpcs", "wrong type", group("rpcs"), {}, []),
  row("rpcs", "a null RPC", rpc(), { hmi_levels: ["FULL"] }, null),
  missing("hmi_levels", rpc("hmi_levels")),
  nullAt("hmi_levels", rpc("hmi_levels")),
  row("hmi_levels", "at most 4", rpc("hmi_levels"), words(4).fill("FULL"), words(5).fill("FULL")),
  row("hmi_levels", "empty", rpc("hmi_levels"), ["NONE"], [], danger),
  row("parameters", "100", rpc("parameters"), words(100).fill("speed"), words(101).fill("speed"), external),
  row("parameters", "255", rpc("parameters"), ["vin"], words(256).fill("speed")),
  row("parameters", "empty", rpc("parameters"), ["vin"], [], danger),
  row("parameters", "ends empty", rpc("parameters"), ["vin"], ["unheardOf"], danger),
  nullAt("parameters", rpc("parameters")),
  row("user_consent_prompt", "255 bytes", group("user_consent_prompt"), bytes255, bytes256),
  row("user_consent_prompt", "empty", group("user_consent_prompt"), "Any", ""),
  nullAt("user_consent_prompt", group("user_consent_prompt")),
  row("encryption_required", "wrong type", group("encryption_required"), true, "true"),
  nullAt("encryption_required", group("encryption_required")),
  ...["on", "off"].flatMap((side) => {
    const path = group(`disallowed_by_external_consent_entities_${side}`);
    const rule = "disallowed_by_external_consent_entities";
    const entity = { entityType: 128, entityID: 0 };
    return [
      row(rule, "range", path, [entity], [{ ...entity, entityType: 129 }], { ...external, below: "[0].entityType" }),
      row(rule, "no id", path, [], [{ entityType: 1 }], { ...external, below: "[0].entityID" }),
      row(rule, "at most 100", path, Array(100).fill(entity), Array(101).fill(entity), external),
    ];
  }),
  only(
    "disallowed_by_external_consent_entities",
    "not an object",
    group("disallowed_by_external_consent_entities_on", 0),
    null,
    external,
  ),
  row(
    "disallowed_by_external_consent_entities",
    "id",
    group("disallowed_by_external_consent_entities_on", 0, "entityID"),
    128,
    129,
    external,
  ),
];
