import { z } from "zod";
import type { ExampleApps } from "@/example-directory/apps";

/** Body of `PUT application/approval/vendor` (`directory.md` 3.2). The directory documents two statuses only. */
export const approvalBody = z.object({
  applications: z
    .array(
      z.object({
        uuid: z.string().optional(),
        version_id: z.int(),
        approval_status: z.enum(["LIMITED", "ACCEPTED"]),
        notes: z.string().nullish(),
        blacklist: z.boolean().optional(),
      }),
    )
    .min(1)
    .max(10_000),
});

export interface Approval {
  readonly uuid: string;
  readonly version: number;
  readonly status: "LIMITED" | "ACCEPTED";
  readonly notes: string | null;
  readonly blacklist: boolean | null;
  /** How often it was told; the members above are those of the last time. */
  readonly times: number;
}

export class ExampleApprovals {
  readonly #apps: ExampleApps;
  readonly #byVersion = new Map<number, Approval>();

  constructor(apps: ExampleApps) {
    this.#apps = apps;
  }

  /** Every decision, in the order in which versions were decided for the first time. */
  all(): Approval[] {
    return [...this.#byVersion.values()];
  }

  /** The decision about a version, null while there is none. */
  find(version: number): Approval | null {
    return this.#byVersion.get(version) ?? null;
  }

  /** Stores all elements or none; gives a sentence about the first that cannot be stored, null when all were. */
  save({ applications }: z.infer<typeof approvalBody>): string | null {
    const decided: Omit<Approval, "times">[] = [];
    for (const element of applications) {
      const { version_id: version, approval_status: status, notes = null, blacklist = null } = element;
      const uuid = this.#apps.ownerOf(version);
      if (uuid === null) return `There is no version ${version}`;
      if (element.uuid !== undefined && element.uuid !== uuid) return `Version ${version} is not of ${element.uuid}`;
      decided.push({ uuid, version, status, notes, blacklist });
    }
    for (const approval of decided) {
      const times = (this.find(approval.version)?.times ?? 0) + 1;
      this.#byVersion.set(approval.version, { ...approval, times });
    }
    return null;
  }
}
