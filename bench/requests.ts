import { readFileSync } from "node:fs";
import { requiredMembers } from "@/lib/policy/answer/policy-request";
import { distinctUuid } from "@/bench/distinct-apps";

/** Real requests in three sizes, with the ids of stored apps, so that every app gets a full entry. */
const samples = {
  1: "policy-request-1-app.json",
  10: "policy-request-10-apps.json",
  50: "policy-request-50-apps.json",
} as const;

export type AppCount = keyof typeof samples;
/** Measured requests: real snapshots, and ten bare ids. */
export const vehicleKinds: readonly { readonly apps: AppCount; readonly isBare: boolean }[] = [
  { apps: 1, isBare: false },
  { apps: 10, isBare: false },
  { apps: 10, isBare: true },
  { apps: 50, isBare: false },
];

const fixedEntries = new Set(["default", "device", "pre_DataConsent"]);

/** A head unit's shortened table that requests the given number of stored apps by their long ids. */
export function vehicleRequest(count: AppCount, uuids: readonly string[]): string {
  const file = new URL(`../test/fixtures/policy-requests/${samples[count]}`, import.meta.url);
  const request = JSON.parse(readFileSync(file, "utf8")) as {
    policy_table: { app_policies: object; module_config: object };
  };
  const { app_policies, module_config } = request.policy_table;
  const entries = Object.entries(app_policies);
  const apps = entries.filter(([id]) => !fixedEntries.has(id)).slice(0, count);
  const fixed = entries.filter(([id]) => fixedEntries.has(id));
  request.policy_table.app_policies = Object.fromEntries([...apps.map(([, sent], at) => [uuids[at], sent]), ...fixed]);
  request.policy_table.module_config = { ...module_config, full_app_id_supported: true };
  return JSON.stringify(request);
}

/** The smallest possible request of a head unit: ten bare ids, 0.6 kB. */
function bareRequest(uuids: readonly string[]): string {
  const others = requiredMembers.map((name) => [name, {}]);
  const app_policies = Object.fromEntries(uuids.map((uuid) => [uuid, null]));
  const table = { ...Object.fromEntries(others), app_policies, module_config: { full_app_id_supported: true } };
  return JSON.stringify({ policy_table: table });
}

/**
 * Requests of different vehicles: each requests other apps than the one before, some of which others also request.
 *
 * @param stored number of apps that `bench/fill.ts` stored; at least `count`
 * @param isBare send only ids, not a real snapshot
 */
export function vehicleRequests(count: AppCount, stored: number, vehicles = 40, isBare = false): string[] {
  return Array.from({ length: vehicles }, (_, vehicle) => {
    // Apps with adjacent numbers are not in one request; steps of 7 cover every app before one repeats.
    const uuids = Array.from({ length: count }, (__, at) => distinctUuid((vehicle * count + at * 7) % stored));
    return isBare ? bareRequest(uuids) : vehicleRequest(count, uuids);
  });
}
