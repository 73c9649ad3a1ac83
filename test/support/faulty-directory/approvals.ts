import { approvalBody } from "@/example-directory/application-routes";
import type { ExampleApps } from "@/example-directory/apps";

export interface Approval {
  readonly uuid: string;
  readonly version: number;
  readonly status: "LIMITED" | "ACCEPTED";
  readonly notes: string | null;
  readonly blacklist: boolean | null;
  /** How often it was reported; the members above are those of the last report. */
  readonly times: number;
}

export class ExampleApprovals {
  readonly #byVersion = new Map<number, Approval>();

  /** Every decision, in the order in which versions were first decided. */
  all(): Approval[] {
    return [...this.#byVersion.values()];
  }

  find(version: number): Approval | null {
    return this.#byVersion.get(version) ?? null;
  }

  note(body: string, apps: ExampleApps): void {
    for (const element of approvalBody.parse(JSON.parse(body)).applications) {
      const { version_id: version, approval_status: status, notes = null, blacklist = null } = element;
      const uuid = apps.ownerOf(version) ?? "";
      const times = (this.find(version)?.times ?? 0) + 1;
      this.#byVersion.set(version, { uuid, version, status, notes, blacklist, times });
    }
  }
}
