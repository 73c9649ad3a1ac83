"one per process";

import { oncePer } from "@/lib/platform/once-per";
import {
  listAllowedRpcs,
  parameterRules,
  type AllowedRpc,
  type ParameterRules,
  type ParameterRuleSources,
} from "@/lib/policy/table/functional-groupings";
import type { PermitGroup } from "@/lib/policy/permits/permits";
import type { SnapshotGroup } from "@/lib/policy/table/snapshot";

type StoredRpc = SnapshotGroup["rpcs"][number];

interface GroupIndex {
  /** Only RPCs with HMI levels: others are in no table (rule F4). */
  readonly rpcs: ReadonlyMap<string, StoredRpc>;
  readonly byParameter: ReadonlyMap<string, readonly StoredRpc[]>;
  /** RPCs and parameters, at any level. */
  readonly names: ReadonlySet<string>;
}

interface Reading {
  readonly from: ParameterRuleSources;
  readonly rules: ParameterRules;
  readonly allowedBy: (group: SnapshotGroup) => readonly AllowedRpc[];
}

/** Keyed by vehicle data: one reading for each state in use. */
const readings = new WeakMap<object, Reading>();

/** Reads groups on demand. */
export function groupReader(
  snapshot: ParameterRuleSources,
): (group: SnapshotGroup, isListed: boolean) => SimulatedGroupContent {
  const reading = findReading(snapshot);
  return (group, isListed) => new SimulatedGroupContent(group, isListed, reading);
}

function findReading({ rpcSpec, vehicleData, permissions }: ParameterRuleSources): Reading {
  const known = readings.get(vehicleData);
  if (known?.from.rpcSpec === rpcSpec && known.from.permissions === permissions) return known;
  const from = { rpcSpec, vehicleData, permissions };
  const rules = parameterRules(from);
  const made = { from, rules, allowedBy: oncePer((group: SnapshotGroup) => listAllowedRpcs(group, rules)) };
  readings.set(vehicleData, made);
  return made;
}

export class SimulatedGroupContent {
  readonly group: SnapshotGroup;
  /** Whether the table lists the group (rule F3). */
  readonly isListed: boolean;
  readonly #reading: Reading;

  constructor(group: SnapshotGroup, isListed: boolean, reading: Reading) {
    this.group = group;
    this.isListed = isListed;
    this.#reading = reading;
  }

  /** What the group allows, or would allow if the table listed it (rules F4 to F7). */
  get allowed(): readonly AllowedRpc[] {
    return this.#reading.allowedBy(this.group);
  }

  get inTable(): PermitGroup {
    return { name: this.group.name, prompt: this.group.userConsentPrompt, rpcs: this.allowed };
  }

  /** Whether it stores the RPC or parameter, at any level. */
  holds(name: string): boolean {
    return indexOf(this.group).names.has(name);
  }

  /** With its stored parameters. */
  find(rpc: string): StoredRpc | undefined {
    return indexOf(this.group).rpcs.get(rpc);
  }

  storing(parameter: string): readonly StoredRpc[] {
    return indexOf(this.group).byParameter.get(parameter) ?? [];
  }

  /** Whether it allows all parameters of an RPC (rule F7). */
  isOpen(rpc: string): boolean {
    return !this.#reading.rules.isRestricted(rpc);
  }

  /** Whether a stored parameter of an RPC counts in the table (rules F5, F7). */
  counts(rpc: string, parameter: string): boolean {
    return this.isOpen(rpc) || this.#reading.rules.isUsable(this.group, rpc, parameter);
  }
}

/** Records never change and later revisions reuse them, so each is read once. */
const indexOf = oncePer((group: SnapshotGroup): GroupIndex => {
  const rpcs = new Map(group.rpcs.flatMap((rpc) => (rpc.levels.length > 0 ? [[rpc.name, rpc] as const] : [])));
  const byParameter = new Map<string, StoredRpc[]>();
  for (const rpc of rpcs.values()) {
    for (const parameter of rpc.parameters) {
      const known = byParameter.get(parameter);
      if (known === undefined) byParameter.set(parameter, [rpc]);
      else if (known.at(-1) !== rpc) known.push(rpc);
    }
  }
  const names = new Set(group.rpcs.flatMap(({ name, parameters }) => [name, ...parameters]));
  return { rpcs, byParameter, names };
});
