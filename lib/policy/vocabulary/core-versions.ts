import coreWords from "@/lib/policy/vocabulary/core-words.json";
import type { CarBuild, CoreVersion } from "@/lib/labels/head-units";

/** What a version of Core does with the RPCs and parameters of a functional group. */
export interface CoreVocabulary {
  readonly knowsRpc: (name: string) => boolean;
  readonly knowsParameter: (name: string) => boolean;
  /**
   * What becomes of a list of which it knows nothing. `veto`: it drops each name, and an empty list remains, which forbids
   * the RPC (C15). `dropped`: it would refuse the table, so that it gets one without the RPC (C14).
   */
  readonly emptied: "veto" | "dropped";
}

/**
 * The words of a version and build (C13 to C15).
 *
 * @param items names of the vehicle data of the table: what it brings itself, every version from 6.0 on knows
 */
export function coreVocabulary(version: CoreVersion, build: CarBuild, items: ReadonlySet<string>): CoreVocabulary {
  const { rpcs, parameters } = words[version][build];
  const takesItems = version !== "4.5" && version !== "5.1";
  return {
    knowsRpc: (name) => rpcs === null || rpcs.has(name),
    knowsParameter: (name) => parameters.has(name) || (takesItems && items.has(name)),
    emptied: version === "4.5" ? "dropped" : "veto",
  };
}

interface Words {
  /** Null: it takes every name. */
  readonly rpcs: ReadonlySet<string> | null;
  readonly parameters: ReadonlySet<string>;
}
const read = ({ rpcs, parameters }: { readonly rpcs: readonly string[]; readonly parameters: readonly string[] }) => ({
  rpcs: new Set(rpcs),
  parameters: new Set(parameters),
});
const both = (one: Words) => ({ regular: one, external: one });
const { "4.5.3": oldest, "5.1.4": five, "6.1.2": six, "7.1.1": seven, "8.2": newest } = coreWords;

/**
 * What a head unit with RPC specification 8.0.0 knows: the functions of the mobile API, and the parameters of any of them. It
 * drops others from the functional groups of an update before it looks at them, so the lists decide what is said about a name,
 * never whether an update is refused.
 */
export const { rpcs: knownRpcs, parameters: knownParameters } = read(newest);

/** Parameters whose names differ in case only: a head unit knows one spelling, and which one varies by build. */
export const ambiguousParameters: ReadonlySet<string> = new Set(["timeout", "Timeout", "url", "URL"]);

const inExternalOldest = new Set(oldest.external.parameters);

const words: Readonly<Record<CoreVersion, Readonly<Record<CarBuild, Words>>>> = {
  // Its two builds cannot be told apart by their requests, so that both get what both know (C14).
  "4.5": both({
    rpcs: null,
    parameters: new Set(oldest.regular.parameters.filter((name) => inExternalOldest.has(name))),
  }),
  "5.1": { regular: read(five.regular), external: read(five.external) },
  "6.1": { regular: read(six.regular), external: read(six.external) },
  "7.1": { regular: read(seven.regular), external: read(seven.external) },
  "8.2": both({ rpcs: knownRpcs, parameters: knownParameters }),
};
