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

/** An RPC of a group record. */
type StoredRpc = SnapshotGroup["rpcs"][number];

/** The content of a group record by name. */
interface GroupIndex {
  /** Only RPCs with HMI levels: others are in no table (rule F4). */
  readonly rpcs: ReadonlyMap<string, StoredRpc>;
  /** The same RPCs by parameter. */
  readonly byParameter: ReadonlyMap<string, readonly StoredRpc[]>;
  /** Names of all RPCs and parameters, at any level. */
  readonly names: ReadonlySet<string>;
}

/** Parameter rules, and what groups allow by them; valid until one of the sources changes. */
interface Reading {
  readonly from: ParameterRuleSources;
  readonly rules: ParameterRules;
  readonly allowedBy: (group: SnapshotGroup) => readonly AllowedRpc[];
}

/** By their vehicle data: one for each state in use. */
const readings = new WeakMap<object, Reading>();

/** Reads the groups of a snapshot on demand. */
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

/** A group with what matters for requested permissions. */
export class SimulatedGroupContent {
  readonly group: SnapshotGroup;
  /** Whether the table lists it (rule F3). */
  readonly isListed: boolean;
  readonly #reading: Reading;

  constructor(group: SnapshotGroup, isListed: boolean, reading: Reading) {
    this.group = group;
    this.isListed = isListed;
    this.#reading = reading;
  }

  /** What it allows, or would allow if the table listed it (rules F4 to F7). */
  get allowed(): readonly AllowedRpc[] {
    return this.#reading.allowedBy(this.group);
  }

  /** The group in the form of a table's group. */
  get inTable(): PermitGroup {
    return { name: this.group.name, prompt: this.group.userConsentPrompt, rpcs: this.allowed };
  }

  /** Whether it stores an RPC or a parameter of this name, at any level. */
  holds(name: string): boolean {
    return indexOf(this.group).names.has(name);
  }

  /** An RPC that it allows, with its stored parameters. */
  find(rpc: string): StoredRpc | undefined {
    return indexOf(this.group).rpcs.get(rpc);
  }

  /** The RPCs that it allows and that store a parameter. */
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
