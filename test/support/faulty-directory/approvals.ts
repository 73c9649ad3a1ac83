import { approvalBody } from "@/example-directory/application-routes";
import type { ExampleApps } from "@/example-directory/apps";

/** What a vehicle maker decided about a version. */
export interface Approval {
  readonly uuid: string;
  readonly version: number;
  readonly status: "LIMITED" | "ACCEPTED";
  readonly notes: string | null;
  readonly blacklist: boolean | null;
  /** How often it was told; the members above are those of the last time. */
  readonly times: number;
}

/** The decisions that the directory was told, the latest for each version. */
export class ExampleApprovals {
  readonly #byVersion = new Map<number, Approval>();

  /** Every decision, in the order in which versions were decided for the first time. */
  all(): Approval[] {
    return [...this.#byVersion.values()];
  }

  /** The decision about a version, null while there is none. */
  find(version: number): Approval | null {
    return this.#byVersion.get(version) ?? null;
  }

  /** Keeps what the directory has taken. */
  note(body: string, apps: ExampleApps): void {
    for (const element of approvalBody.parse(JSON.parse(body)).applications) {
      const { version_id: version, approval_status: status, notes = null, blacklist = null } = element;
      const uuid = apps.ownerOf(version) ?? "";
      const times = (this.find(version)?.times ?? 0) + 1;
      this.#byVersion.set(version, { uuid, version, status, notes, blacklist, times });
    }
  }
}
