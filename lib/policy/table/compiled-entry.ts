import { Fragment } from "@/lib/policy/gzip/fragment";

/**
 * The compiled entry of one app at one revision.
 *
 * Nearly every vehicle requests an id exactly as stored and sends nothing to copy. For these, the name, the entry and the
 * comma after it are one prepared fragment.
 */
export class CompiledEntry {
  /** The entry without its closing brace (members of rule A12 come last). */
  readonly text: string;
  /** The entry for the head units of rule R8; usually the same. */
  readonly older: CompiledEntry;
  readonly #named = new Map<string, Fragment>();
  readonly #storedIds: readonly string[];
  #open: Fragment | null = null;

  /**
   * @param storedIds the app's uuid and short ids as stored
   * @param olderText the entry for the head units of rule R8
   */
  constructor(text: string, storedIds: readonly string[], olderText = text) {
    this.text = text;
    this.older = olderText === text ? this : new CompiledEntry(olderText, storedIds);
    this.#storedIds = storedIds;
  }

  /** The entry without its closing brace. */
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
