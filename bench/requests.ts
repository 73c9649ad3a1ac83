import { readFileSync } from "node:fs";
import { requiredMembers } from "@/lib/policy/answer/policy-request";
import { distinctUuid } from "@/bench/distinct-apps";

/** Real requests in three sizes; the app ids are replaced by stored ones, so that every app gets a full entry. */
const samples = {
  1: "policy-request-1-app.json",
  10: "policy-request-10-apps.json",
  50: "policy-request-50-apps.json",
} as const;

export type AppCount = keyof typeof samples;
/** What is measured: real snapshots, and ten ids with nothing else. */
export const vehicleKinds: readonly { readonly apps: AppCount; readonly isBare: boolean }[] = [
  { apps: 1, isBare: false },
  { apps: 10, isBare: false },
  { apps: 10, isBare: true },
  { apps: 50, isBare: false },
];

const fixedEntries = new Set(["default", "device", "pre_DataConsent"]);

/** A head unit's shortened table that asks for the given number of stored apps by their long ids. */
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

/** The least that a head unit can ask with: ten ids without what it knows of them are 0.6 kB. */
function bareRequest(uuids: readonly string[]): string {
  const others = requiredMembers.map((name) => [name, {}]);
  const app_policies = Object.fromEntries(uuids.map((uuid) => [uuid, null]));
  const table = { ...Object.fromEntries(others), app_policies, module_config: { full_app_id_supported: true } };
  return JSON.stringify({ policy_table: table });
}

/**
 * Requests of different vehicles: each asks for other apps than the one before, some of which others ask for as well.
 *
 * @param stored number of apps that `bench/fill.ts` stored; at least `count`
 * @param isBare nothing but the ids is sent, not a real snapshot
 */
export function vehicleRequests(count: AppCount, stored: number, vehicles = 40, isBare = false): string[] {
  return Array.from({ length: vehicles }, (_, vehicle) => {
    // Neighbours in number are no neighbours in a request; steps of 7 meet every app before one comes again.
    const uuids = Array.from({ length: count }, (__, at) => distinctUuid((vehicle * count + at * 7) % stored));
    return isBare ? bareRequest(uuids) : vehicleRequest(count, uuids);
  });
}
