/** Thousands of apps request the same few permissions, and each database document arrives with its own copies. */
export class Interner {
  readonly #texts = new Map<string, string>();
  readonly #values = new Map<string, { readonly value: unknown; readonly number: number }>();
  readonly #lists = new Map<string, readonly unknown[]>();

  text(text: string): string {
    this.#forgetWhenLarge();
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }

  /** The list of the first equal values; equal lists become one. Values are texts or plain objects of JSON values. */
  list<T>(items: readonly T[]): readonly T[] {
    this.#forgetWhenLarge();
    const entries = items.map((item) => this.#entry(item));
    const key = entries.map((entry) => entry.number).join(",");
    const known = this.#lists.get(key);
    // The key is built from the values, so a list found under it has values of the caller's type.
    if (known !== undefined) return known as readonly T[];
    const list = entries.map((entry) => entry.value as T);
    this.#lists.set(key, list);
    return list;
  }

  #entry(value: unknown): { readonly value: unknown; readonly number: number } {
    const key = JSON.stringify(value);
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const entry = { value, number: this.#values.size };
    this.#values.set(key, entry);
    return entry;
  }

  /** Clearing only ends the sharing with older values. */
  #forgetWhenLarge(): void {
    if (this.#texts.size + this.#values.size + this.#lists.size < 100_000) return;
    this.#texts.clear();
    this.#values.clear();
    this.#lists.clear();
  }
}
