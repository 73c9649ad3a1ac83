import type { EffectAnswer } from "@/lib/records/groups/wire";
import { plural } from "@/lib/vocabulary/format-number";
import { registrationRpc, updateRpcs } from "@/lib/vocabulary/terms";

export type GroupEffect = EffectAnswer["effects"][number];
export type RpcEffect = GroupEffect["rpcs"][number];

export const countApps = (count: number) => plural(count, "app");
const countRpcs = (count: number) => plural(count, "RPC");

/** "3 apps gain Location-1", "14 apps lose Base-4: 24 RPCs" */
export function describeEffect({
  group,
  kind,
  app_count: count,
  rpcs,
  prompt_before,
  prompt_after,
}: GroupEffect): string {
  const s = count === 1 ? "s" : "";
  if (kind === "gained") return `${countApps(count)} gain${s} ${group}`;
  if (kind === "lost") return `${countApps(count)} lose${s} ${group}: ${countRpcs(rpcs.length)}`;
  const has = (wanted: RpcEffect["kind"]) => rpcs.some((rpc) => rpc.kind === wanted && rpc.app_count > 0);
  const verbs = [...(has("gained") ? [`gain${s}`] : []), ...(has("lost") ? [`lose${s}`] : [])];
  if (verbs.length > 0) return `${countApps(count)} with ${group} ${verbs.join(" and ")} something`;
  return `${prompt_before === prompt_after ? "Nothing" : "The prompt"} changes for ${countApps(count)} with ${group}`;
}

/** Null if the prompt needs no line. */
export function describePrompt(effect: GroupEffect): { readonly text: string; readonly isRisky: boolean } | null {
  const { kind, prompt_before: before, prompt_after: after } = effect;
  if (kind === "lost") return null;
  if (kind === "gained") {
    return after === null
      ? { text: "Drivers are not asked.", isRisky: true }
      : { text: `Drivers are asked first: ${after}`, isRisky: false };
  }
  if (before === after) return after === null ? null : { text: `Drivers are asked first: ${after}`, isRisky: false };
  if (after === null) return { text: `Drivers are no longer asked (${before ?? ""}).`, isRisky: true };
  return { text: `Drivers are asked ${after}${before === null ? "" : ` instead of ${before}`}.`, isRisky: false };
}

export function describeEveryApp({ is_default: isDefault, kind }: GroupEffect): string | null {
  if (!isDefault) return null;
  if (kind === "lost") return "Every app loses it, including apps that are not approved and have nothing else.";
  return kind === "gained" ? "Every app gets it, including apps that are not approved." : "Every app has this group.";
}

/** "and 4 RPCs that they have through other groups as well" */
export function describeUntouched(rpcs: readonly RpcEffect[]): string {
  const [one] = rpcs;
  const what = rpcs.length === 1 && one ? one.name : countRpcs(rpcs.length);
  return one?.kind === "lost"
    ? `${what}: they keep it through other groups.`
    : `${what}: they have it through other groups already.`;
}

export function describeSum({ effects, environment, app_count: count }: EffectAnswer): string {
  if (count === 0) return `No app has permissions in ${environment} yet.`;
  return effects.length === 0 ? `No app in ${environment} gains or loses anything.` : "";
}

/** Every app loses it, or none may register or update vehicles without it; null if there is none. */
export function findLostDefault(effect: EffectAnswer): string | null {
  const defaults = effect.effects.filter(({ is_default: isDefault }) => isDefault);
  const needed = [
    ...(effect.is_registration_lost ? [registrationRpc] : []),
    ...(effect.is_update_lost ? updateRpcs : []),
  ];
  const losing = defaults.find(({ rpcs }) => rpcs.some(({ kind, name }) => kind === "lost" && needed.includes(name)));
  return (defaults.find(({ kind }) => kind === "lost") ?? losing)?.group ?? null;
}

export const effectTitle = "Effect on apps";
export const effectHint = "Make a change to see which apps gain or lose permissions.";
