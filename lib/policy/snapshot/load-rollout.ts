import type { ClientSession } from "mongoose";
import { z } from "zod";
import { rawCollection } from "@/lib/platform/db/connection/connect";
import { damageOf, type ReportDamage } from "@/lib/policy/snapshot/damage";
import type { SnapshotRollout, TableRecords } from "@/lib/policy/table/snapshot";
import { aliveSlot, RolloutModel } from "@/models/rollout";

const values = z.array(z.string());
const rolloutDocument = z
  .object({
    _id: z.int(),
    state: z.enum(["running", "paused"]),
    release: z.int(),
    before: z.int(),
    salt: z.hex().length(32),
    step: z.int(),
    steps: z.array(z.object({ percent: z.number() })),
    countries: values,
    software: values,
    hardware: values,
  })
  .transform(({ _id, state, step, steps, ...facts }) => ({
    ...facts,
    number: _id,
    percent: steps[step]?.percent ?? 0,
    isPaused: state === "paused",
  }));
type Facts = z.output<typeof rolloutDocument>;

/** Reads the records of production as of a release. */
export type ReadRecordsAsOf = (
  release: number,
  session: ClientSession,
  pace: () => Promise<void>,
) => Promise<TableRecords>;

/** Reads the rollout that is alive (`fleet.md` S11), and what the release before it served: once for each rollout. */
export class RolloutLoader {
  readonly #report: ReportDamage;
  readonly #readAsOf: ReadRecordsAsOf;
  #rollout: SnapshotRollout | null;

  constructor(report: ReportDamage, readAsOf: ReadRecordsAsOf, known: SnapshotRollout | null = null) {
    this.#report = report;
    this.#readAsOf = readAsOf;
    this.#rollout = known;
  }

  get rollout(): SnapshotRollout | null {
    return this.#rollout;
  }

  async read(session: ClientSession, pace: () => Promise<void>): Promise<() => void> {
    const facts = await this.#find(session);
    const known = this.#rollout;
    const records =
      facts === null
        ? null
        : known?.number === facts.number && known.before === facts.before
          ? known.records
          : await this.#readAsOf(facts.before, session, pace);
    return () => {
      this.#rollout = facts === null || records === null ? null : { ...facts, records };
    };
  }

  async #find(session: ClientSession): Promise<Facts | null> {
    const document = await rawCollection(RolloutModel).findOne({ slot: aliveSlot }, { session });
    if (document === null) return null;
    const parsed = rolloutDocument.safeParse(document);
    if (!parsed.success) this.#report(damageOf(RolloutModel, document, parsed.error));
    return parsed.data ?? null;
  }
}
