import { manyOf } from "@/test/support/valid-table";
import {
  bytes255,
  bytes256,
  danger,
  external,
  group,
  missing,
  nullAt,
  only,
  row,
  rpc,
  words,
  written,
  type Row,
} from "./row";

export const section5: readonly Row[] = [
  row(
    "5 functional_groupings: number of groups",
    "at most 255",
    ["functional_groupings"],
    { Base: { rpcs: null }, Location: { rpcs: null }, ...manyOf(253, () => ({ rpcs: null })) },
    { Base: { rpcs: null }, Location: { rpcs: null }, ...manyOf(254, () => ({ rpcs: null })) },
  ),
  only("5 functional_groupings: number of groups", "at least one", ["functional_groupings"], {}),
  row("5 functional_groupings: group", "null (section 9)", group(), { rpcs: null }, null),
  missing("5 functional_groupings: rpcs", group("rpcs")),
  row("5 functional_groupings: rpcs", "wrong type", group("rpcs"), {}, []),
  row("5 functional_groupings: rpcs", "a null RPC", rpc(), { hmi_levels: ["FULL"] }, null),
  missing("5 functional_groupings: hmi_levels", rpc("hmi_levels")),
  nullAt("5 functional_groupings: hmi_levels", rpc("hmi_levels")),
  row(
    "5 functional_groupings: hmi_levels",
    "at most 4",
    rpc("hmi_levels"),
    words(4).fill("FULL"),
    words(5).fill("FULL"),
  ),
  row("5 functional_groupings: hmi_levels", "empty", rpc("hmi_levels"), ["NONE"], [], danger),
  row(
    "5 functional_groupings: parameters",
    "100",
    rpc("parameters"),
    words(100).fill("speed"),
    words(101).fill("speed"),
    external,
  ),
  row("5 functional_groupings: parameters", "255", rpc("parameters"), ["vin"], words(256).fill("speed")),
  row("5 functional_groupings: parameters", "empty", rpc("parameters"), ["vin"], [], danger),
  row("5 functional_groupings: parameters", "ends empty", rpc("parameters"), ["vin"], ["unheardOf"], danger),
  nullAt("5 functional_groupings: parameters", rpc("parameters")),
  row("5 functional_groupings: user_consent_prompt", "255 bytes", group("user_consent_prompt"), bytes255, bytes256),
  row("5 functional_groupings: user_consent_prompt", "empty", group("user_consent_prompt"), "Any", ""),
  nullAt("5 functional_groupings: user_consent_prompt", group("user_consent_prompt")),
  row("5 functional_groupings: encryption_required", "wrong type", group("encryption_required"), true, "true"),
  nullAt("5 functional_groupings: encryption_required", group("encryption_required")),
  ...["on", "off"].flatMap((side) => {
    const path = group(`disallowed_by_external_consent_entities_${side}`);
    const rule = "5 functional_groupings: disallowed_by_external_consent_entities";
    const entity = { entityType: 128, entityID: 0 };
    return [
      row(rule, "range", path, [entity], [{ ...entity, entityType: 129 }], {
        ...external,
        path: `${written(path)}[0].entityType`,
      }),
      row(rule, "no id", path, [], [{ entityType: 1 }], { ...external, path: `${written(path)}[0].entityID` }),
      row(rule, "at most 100", path, Array(100).fill(entity), Array(101).fill(entity), external),
    ];
  }),
  only(
    "5 functional_groupings: disallowed_by_external_consent_entities",
    "not an object",
    group("disallowed_by_external_consent_entities_on", 0),
    null,
    external,
  ),
  row(
    "5 functional_groupings: disallowed_by_external_consent_entities",
    "id",
    group("disallowed_by_external_consent_entities_on", 0, "entityID"),
    128,
    129,
    external,
  ),
];
