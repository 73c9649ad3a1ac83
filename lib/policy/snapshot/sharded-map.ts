const shardCount = 1024;

/**
 * Immutable. A changed copy shares untouched parts, so a change costs the same with a hundred or a hundred thousand
 * entries, and readers of the old copy never see it.
 */
export class ShardedMap<V> {
  readonly #shards: readonly (ReadonlyMap<string, V> | undefined)[];
  readonly size: number;

  constructor(shards: readonly (ReadonlyMap<string, V> | undefined)[] = [], size = 0) {
    this.#shards = shards;
    this.size = size;
  }

  get(key: string): V | undefined {
    return this.#shards[shardOf(key)]?.get(key);
  }

  *values(): Generator<V> {
    for (const shard of this.#shards) if (shard !== undefined) yield* shard.values();
  }

  edit(): ShardedMapEditor<V> {
    return new ShardedMapEditor([...this.#shards], this.size);
  }
}

/** Collects changes until `finish`. May be used over several turns of the event loop. */
export class ShardedMapEditor<V> {
  readonly #shards: (ReadonlyMap<string, V> | undefined)[];
  /** Shards created by this editor, which nobody else reads yet. */
  readonly #own = new Map<number, Map<string, V>>();
  #size: number;

  constructor(shards: (ReadonlyMap<string, V> | undefined)[], size: number) {
    this.#shards = shards;
    this.#size = size;
  }

  get(key: string): V | undefined {
    return this.#shards[shardOf(key)]?.get(key);
  }

  set(key: string, value: V): void {
    const shard = this.#ownShard(key);
    if (!shard.has(key)) this.#size += 1;
    shard.set(key, value);
  }

  delete(key: string): void {
    if (this.get(key) === undefined) return;
    this.#ownShard(key).delete(key);
    this.#size -= 1;
  }

  finish(): ShardedMap<V> {
    return new ShardedMap(this.#shards, this.#size);
  }

  #ownShard(key: string): Map<string, V> {
    const index = shardOf(key);
    const own = this.#own.get(index);
    if (own !== undefined) return own;
    const copy = new Map(this.#shards[index]);
    this.#own.set(index, copy);
    this.#shards[index] = copy;
    return copy;
  }
}

/** FNV-1a over the UTF-16 code units. */
function shardOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % shardCount;
}
