/** How waiting for a job ended: `applied`, or it goes on in the background. */
export type JobEnd = "applied" | "waiting";

type Settle = (end: JobEnd) => void;

/** Who waits for the jobs of which apps. */
export class Waiters {
  #byUuid = new Map<string, Settle[]>();

  /** Resolves when the job of this app is settled. */
  add(uuid: string): Promise<JobEnd> {
    return new Promise((resolve) => this.#put(uuid, [resolve]));
  }

  /** Hands over who waits for these apps, or for any. */
  moveTo(other: Waiters, uuids: Iterable<string> = [...this.#byUuid.keys()]): void {
    for (const uuid of uuids) other.#put(uuid, this.#take(uuid));
  }

  /** Tells who waits for these apps, or for any. */
  settle(end: JobEnd, uuids: Iterable<string> = [...this.#byUuid.keys()]): void {
    for (const uuid of uuids) for (const settle of this.#take(uuid)) settle(end);
  }

  #put(uuid: string, settles: readonly Settle[]): void {
    if (settles.length > 0) this.#byUuid.set(uuid, [...(this.#byUuid.get(uuid) ?? []), ...settles]);
  }

  #take(uuid: string): readonly Settle[] {
    const settles = this.#byUuid.get(uuid) ?? [];
    this.#byUuid.delete(uuid);
    return settles;
  }
}
