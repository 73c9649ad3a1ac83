import { type GroupListQuery } from "@/lib/groups/list-address";
import { type GroupRecord } from "@/lib/groups/rules";
import { type SnapshotRpc } from "@/lib/policy/table/snapshot";
import { groupGrants } from "@/lib/words/group-flags";

type Filters = Pick<GroupListQuery, "q" | "rpc" | "param" | "level" | "grant" | "prompt" | "encryption">;

/** Whether a group passes the filters of the list, whatever its state. */
export function passesFilter(group: GroupRecord, filters: Filters): boolean {
  const { q, rpc, param, level, grant, prompt, encryption } = filters;
  if (grant !== undefined && !group[groupGrants[grant].flag]) return false;
  if (prompt !== undefined && (group.userConsentPrompt === null) !== (prompt === "without")) return false;
  if (encryption !== undefined && !group.encryptionRequired) return false;
  const isAsked = (one: SnapshotRpc) =>
    (rpc === undefined || one.name === rpc) &&
    (param === undefined || one.parameters.includes(param)) &&
    (level === undefined || one.levels.includes(level));
  const asked = group.rpcs.filter(isAsked);
  if (asked.length === 0 && (rpc ?? param ?? level) !== undefined) return false;
  // "speed at BACKGROUND": what is searched for must be allowed at that level, not something else in the group.
  return q === undefined || saysItself(group, q) || asked.some((one) => holdsWord(one, q.toLowerCase()));
}

function saysItself({ name, description, userConsentPrompt }: GroupRecord, q: string): boolean {
  const wanted = q.toLowerCase();
  return [name, description, userConsentPrompt].some((text) => text?.toLowerCase().includes(wanted) === true);
}

function holdsWord({ name, parameters }: SnapshotRpc, wanted: string): boolean {
  return name.toLowerCase().includes(wanted) || parameters.some((key) => key.toLowerCase().includes(wanted));
}
