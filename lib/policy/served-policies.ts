import type { AppFindings, Inspection } from "@/lib/policy/checks/inspection";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/finding";
import { compilePolicy, type CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { PolicyOptions, PolicySnapshot } from "@/lib/policy/table/snapshot";
import { snapshotBefore } from "@/lib/policy/rollout/before";
import { placeKeyOf } from "@/lib/policy/rollout/place";
import type { ServedRollout } from "@/lib/policy/rollout/side";
import type { Report } from "@/lib/policy/table/vehicle-data";
import type { Environment } from "@/lib/vocabulary/terms";

export interface ServedPoliciesOptions {
  readonly policyOptions: (snapshot: PolicySnapshot) => PolicyOptions | Promise<PolicyOptions>;
  readonly log: { warn(details: object, message: string): void };
  /** Undefined if nobody asks this process for findings. */
  readonly inspection?: Inspection;
  readonly onServing?: (revision: number) => void;
  readonly now?: () => number;
}

interface Served extends Readonly<Record<Environment, CompiledPolicy>> {
  readonly rollout: ServedRollout | null;
}

export class ServedPolicies {
  readonly #options: ServedPoliciesOptions;
  #policies: Served | null = null;
  #snapshot: PolicySnapshot | null = null;
  #builtAt: number | null = null;

  constructor(options: ServedPoliciesOptions) {
    this.#options = options;
  }

  policy(environment: Environment): CompiledPolicy | null {
    return this.#policies?.[environment] ?? null;
  }

  /** What vehicles outside of the rollout get in production (`fleet.md` S14); null: no rollout is alive. */
  get rollout(): ServedRollout | null {
    return this.#policies?.rollout ?? null;
  }

  get snapshot(): PolicySnapshot | null {
    return this.#snapshot;
  }

  get builtAt(): number | null {
    return this.#builtAt;
  }

  /** Both environments and both sides of a rollout change together, once all are ready (rules K4, K5). */
  protected async serve(snapshot: PolicySnapshot): Promise<void> {
    const options = await this.#options.policyOptions(snapshot);
    const served = this.#policies === null ? [] : listPolicies(this.#policies);
    const staging = await this.#compile(snapshot, "staging", options, served);
    const production = await this.#compile(snapshot, "production", options, [staging, ...served]);
    const rollout = await this.#compileRollout(snapshot, production, options, [production, staging, ...served]);
    this.#policies = { staging, production, rollout };
    this.#options.inspection?.takeOver({ staging, production }, snapshot);
    this.#snapshot = snapshot;
    this.#builtAt = (this.#options.now ?? Date.now)();
    this.#options.onServing?.(snapshot.revision);
  }

  optionsFor(snapshot: PolicySnapshot): Promise<PolicyOptions> {
    return Promise.resolve(this.#options.policyOptions(snapshot));
  }

  findings(environment: Environment): readonly HeadUnitFinding[] {
    return this.#options.inspection?.shared(environment) ?? [];
  }

  /** In the entries that this process was asked for since their last change. Limited in number. */
  appFindings(environment: Environment): readonly AppFindings[] {
    return this.#options.inspection?.apps(environment) ?? [];
  }

  /** The same for one entry of the policy in service, from `buildAppEntry`; empty without a policy. */
  inspectEntry(environment: Environment, uuid: string, text: string): readonly HeadUnitFinding[] {
    const policy = this.policy(environment);
    return (policy && this.#options.inspection?.inspectEntry(policy, uuid, text)) ?? [];
  }

  /** Production as of the release before. Its entries and pieces are those of `production` where they are equal. */
  async #compileRollout(
    snapshot: PolicySnapshot,
    production: CompiledPolicy,
    options: PolicyOptions,
    similar: readonly CompiledPolicy[],
  ): Promise<ServedRollout | null> {
    const { rollout } = snapshot;
    if (rollout === null) return null;
    const earlier = this.rollout?.before ?? this.#policies?.production;
    const state = snapshotBefore(snapshot, rollout);
    const extras = { earlier, similar, beside: production };
    const before = await compilePolicy(state, "production", options, ignore, extras);
    return { rollout, before, placeKey: placeKeyOf(rollout) };
  }

  async #compile(
    snapshot: PolicySnapshot,
    environment: Environment,
    options: PolicyOptions,
    similar: readonly CompiledPolicy[],
  ): Promise<CompiledPolicy> {
    const earlier = this.#policies?.[environment];
    const { inspection, log } = this.#options;
    const report: Report = (problem) => log.warn({ environment, ...problem }, "left out of the policy table");
    const onEntry = inspection?.onEntry;
    const policy = await compilePolicy(snapshot, environment, options, report, { earlier, similar, onEntry });
    inspection?.inspect(policy);
    return policy;
  }
}

/** What is left out of it was reported when it was served to all. */
const ignore: Report = () => undefined;

const listPolicies = ({ staging, production, rollout }: Served) => [
  ...[staging, production],
  ...(rollout === null ? [] : [rollout.before]),
];
