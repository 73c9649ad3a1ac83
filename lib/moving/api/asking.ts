/** How the API of another server is asked; the addresses and what proves the caller are whoever's who makes one. */
export interface Asking {
  /** The `data` of an answer. Throws with a sentence when there is none. */
  readonly ask: (path: string, call?: Call) => Promise<unknown>;
  /** The same; null where the server says that there is no such thing (400, 500). */
  readonly find: (path: string, query: Query) => Promise<unknown>;
}
type Query = Readonly<Record<string, string>>;
interface Call {
  readonly method?: "POST";
  readonly query?: Query;
  readonly body?: object;
}

/** Told how far the reading is. */
export type Told = (state: { readonly documents: number; readonly of: number }) => void;

const atOnce = 8;

/** Does the same for each, some at once, and gives the outcomes in the order of the elements. */
export async function forAll<T, Outcome>(
  elements: readonly T[],
  work: (element: T) => Promise<Outcome>,
  told: Told = () => undefined,
): Promise<readonly Outcome[]> {
  const outcomes = new Map<number, Outcome>();
  const waiting = elements.entries();
  const worker = async () => {
    for (const [index, element] of waiting) {
      outcomes.set(index, await work(element));
      told({ documents: outcomes.size, of: elements.length });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return [...outcomes].sort(([a], [b]) => a - b).map(([, outcome]) => outcome);
}
