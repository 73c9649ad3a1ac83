/** Stored records by key, mirrored in memory, so that they hold while the database is away. */
export class Mirror<Key, Value> {
  #known: ReadonlyMap<Key, Value> = new Map();
  #changes = 0;

  get(key: Key): Value | undefined {
    return this.#known.get(key);
  }

  list(): readonly Value[] {
    return [...this.#known.values()];
  }

  set(key: Key, value: Value): void {
    this.#changes += 1;
    this.#known = new Map([...this.#known, [key, value]]);
  }

  drop(isDropped: (value: Value) => boolean): void {
    this.#changes += 1;
    this.#known = new Map([...this.#known].filter(([, value]) => !isDropped(value)));
  }

  /** Reads all records again. What was set or dropped here meanwhile may be missing in them: the next refresh has it. */
  async refresh(read: () => Promise<readonly (readonly [Key, Value])[]>): Promise<void> {
    const changes = this.#changes;
    const stored = await read();
    if (changes === this.#changes) this.#known = new Map(stored);
  }
}
