/** Head units with SDL Core 4.5 do not drop unknown words; based only on `head-unit-rules.md` C13. */
import coreWords from "@/lib/policy/vocabulary/core-words.json";

const { external, regular } = coreWords["4.5.3"];
const priorities = ["EMERGENCY", "NAVIGATION", "VOICECOM", "COMMUNICATION", "NORMAL", "NONE"];
const levels = ["BACKGROUND", "FULL", "LIMITED", "NONE"];
const hmiTypes = [
  ...["DEFAULT", "COMMUNICATION", "MEDIA", "MESSAGING", "NAVIGATION", "INFORMATION", "SOCIAL", "BACKGROUND_PROCESS"],
  ...["TESTING", "SYSTEM", "PROJECTION", "REMOTE_CONTROL"],
];

export function refusalsOfCore45(table: any): string[] {
  const refusals: string[] = [];
  const each = (place: string, values: readonly unknown[], isKnown: (value: any) => boolean) => {
    for (const value of values) if (!isKnown(value)) refusals.push(`${place}: ${JSON.stringify(value)}`);
  };
  for (const [group, { rpcs }] of Object.entries<any>(table.functional_groupings)) {
    for (const [rpc, { hmi_levels, parameters = [] }] of Object.entries<any>(rpcs ?? {})) {
      const place = `${group}.${rpc}`;
      each(place, hmi_levels, (level) => levels.includes(level));
      each(place, parameters, (name) => external.parameters.includes(name) && regular.parameters.includes(name));
    }
  }
  const counts = Object.keys(table.module_config.notifications_per_minute_by_priority);
  if (counts.length > 6) refusals.push(`notifications_per_minute_by_priority: ${counts.length} members`);
  for (const [id, entry] of Object.entries<any>(table.app_policies)) {
    if (typeof entry !== "object" || entry === null) continue;
    each(id, [entry.priority], (priority) => priorities.includes(priority));
    each(id, entry.AppHMIType ?? [], (type) => hmiTypes.includes(type));
  }
  return refusals;
}
