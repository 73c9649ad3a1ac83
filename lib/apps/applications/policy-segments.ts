import "server-only";
import { readRevision } from "@/lib/platform/db/revision";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import { buildSegment } from "@/lib/policy/preview";
import type { Environment } from "@/lib/vocabulary/terms";
import { findServices } from "@/lib/policy/services";

export interface PolicySegments {
  /** The app's entry: an object, `"default"`, or null if the app is blocked. */
  readonly staging: unknown;
  readonly production: unknown;
  /** Whether a later change is not in these entries yet; it follows within moments. */
  readonly isOutdated: boolean;
  readonly findings: readonly (HeadUnitFinding & { readonly environment: Environment })[];
}

/** Like `POST policy/apps`; null if there is no policy yet. */
export async function loadPolicySegments(uuid: string): Promise<PolicySegments | null> {
  const runtime = findServices()?.runtime;
  if (runtime === undefined) return null;
  await runtime.caughtUp();
  const { revision } = runtime.status();
  const entry = (environment: Environment): unknown => {
    const policy = runtime.policy(environment);
    if (policy === null) return undefined;
    const table = { module_config: { full_app_id_supported: true }, app_policies: { [uuid]: {} } };
    const [{ policy_table }] = buildSegment(policy, table) as readonly [{ policy_table: Segment }];
    return policy_table.app_policies[uuid];
  };
  const [staging, production] = [entry("staging"), entry("production")];
  if (staging === undefined || production === undefined) return null;
  const findings = [["staging", staging] as const, ["production", production] as const].flatMap(([name, value]) =>
    isEntry(value)
      ? runtime
          .inspectEntry(name, uuid, JSON.stringify(value).slice(0, -1))
          .map((finding) => ({ environment: name, ...finding }))
      : [],
  );
  return { staging, production, isOutdated: revision === null || revision < (await readRevision()), findings };
}

const isEntry = (value: unknown) => typeof value === "object" && value !== null;

interface Segment {
  readonly app_policies: Readonly<Record<string, unknown>>;
}
