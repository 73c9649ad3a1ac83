import coreWords from "@/lib/policy/vocabulary/core-words.json";
import type { CarBuild, CoreVersion } from "@/lib/labels/head-units";

/** What a version of Core does with the RPCs and parameters of a functional group. */
export interface CoreVocabulary {
  readonly knowsRpc: (name: string) => boolean;
  readonly knowsParameter: (name: string) => boolean;
  /**
   * What happens to a list without any known parameter. `veto`: it drops each name, and the empty list forbids the RPC
   * (C15). `dropped`: it would refuse the table, so it is sent one without the RPC (C14).
   */
  readonly emptied: "veto" | "dropped";
}

/**
 * The vocabulary of a version and build (C13 to C15).
 *
 * @param items names of the vehicle data in the table, which every version from 6.0 on learns from it
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
  /** Null: it accepts every name. */
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
 * What a head unit with RPC specification 8.0.0 knows: the functions of the mobile API and all their parameters. It drops
 * others from the functional groups of an update before checking them, so these lists affect findings about a name, never
 * whether an update is refused.
 */
export const { rpcs: knownRpcs, parameters: knownParameters } = read(newest);

/** Parameters whose names differ only in case: a head unit knows one spelling, depending on its build. */
export const ambiguousParameters: ReadonlySet<string> = new Set(["timeout", "Timeout", "url", "URL"]);

const inExternalOldest = new Set(oldest.external.parameters);

const words: Readonly<Record<CoreVersion, Readonly<Record<CarBuild, Words>>>> = {
  // Its two builds send identical requests, so both get what both know (C14).
  "4.5": both({
    rpcs: null,
    parameters: new Set(oldest.regular.parameters.filter((name) => inExternalOldest.has(name))),
  }),
  "5.1": { regular: read(five.regular), external: read(five.external) },
  "6.1": { regular: read(six.regular), external: read(six.external) },
  "7.1": { regular: read(seven.regular), external: read(seven.external) },
  "8.2": both({ rpcs: knownRpcs, parameters: knownParameters }),
};
