import type { HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import type { AppCatalogue, SnapshotApp } from "@/lib/policy/table/snapshot";

/** Findings about the entry of one app, oldest first in lists of them. */
export interface AppFindings {
  readonly uuid: string;
  readonly findings: readonly HeadUnitFinding[];
}

/** Apps whose findings are kept in one environment: what is said of thousands of apps nobody reads. */
const maxApps = 200;

/**
 * What head units object to in entries of apps, as far as they have been compiled and looked at. Bounded: of more apps
 * the latest ones are kept.
 */
export class AppFindingsStore {
  readonly #kept = new Map<string, { readonly app: SnapshotApp; readonly findings: readonly HeadUnitFinding[] }>();

  /** Replaces what is known of an app; nothing is kept of one without findings. */
  put(app: SnapshotApp, findings: readonly HeadUnitFinding[]): void {
    this.#kept.delete(app.uuid);
    if (findings.length === 0) return;
    this.#kept.set(app.uuid, { app, findings });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxApps && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Forgets what is not so any more: apps that are gone or were changed are looked at again when they are asked for. */
  keepOnly(apps: AppCatalogue): void {
    for (const [uuid, { app }] of this.#kept) if (apps.byUuid(uuid.toLowerCase()) !== app) this.#kept.delete(uuid);
  }

  list(): readonly AppFindings[] {
    return [...this.#kept.values()].map(({ app: { uuid }, findings }) => ({ uuid, findings }));
  }
}
