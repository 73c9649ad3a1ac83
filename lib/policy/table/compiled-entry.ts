import { Fragment } from "@/lib/policy/gzip/fragment";

/** Nearly every vehicle requests an id as stored and sends nothing to copy: one fragment has its whole entry. */
export class CompiledEntry {
  /** The entry without its closing brace, because the members copied from a request come last. */
  readonly text: string;
  /** The entry for Core before 5.0; usually the same. */
  readonly older: CompiledEntry;
  readonly #named = new Map<string, Fragment>();
  readonly #storedIds: readonly string[];
  #open: Fragment | null = null;

  constructor(text: string, storedIds: readonly string[], olderText = text) {
    this.text = text;
    this.older = olderText === text ? this : new CompiledEntry(olderText, storedIds);
    this.#storedIds = storedIds;
  }

  get open(): Fragment {
    return (this.#open ??= new Fragment(this.text));
  }

  /** `"<id>":{…},` if the id is spelled as stored, otherwise null: nothing of a request is kept (rule K2). */
  named(id: string): Fragment | null {
    const known = this.#named.get(id);
    if (known) return known;
    if (!this.#storedIds.includes(id)) return null;
    const fragment = new Fragment(`${JSON.stringify(id)}:${this.text}},`);
    this.#named.set(id, fragment);
    return fragment;
  }
}
