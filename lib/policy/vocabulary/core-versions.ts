import coreWords from "@/lib/policy/vocabulary/core-words.json";
import type { CarBuild, CoreVersion } from "@/lib/vocabulary/head-units";

export interface CoreVocabulary {
  readonly knowsRpc: (name: string) => boolean;
  readonly knowsParameter: (name: string) => boolean;
  /** A list without known parameters: `veto` forbids the RPC (C15); `dropped`: it is sent without the RPC (C14). */
  readonly emptied: "veto" | "dropped";
}

/** `head-unit-rules.md` C13 to C15. `items`: the table's vehicle data, which versions from 6.0 on learn from it. */
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

/** RPC specification 8.0.0. Head units drop others before checking: only findings depend on them, never refusals. */
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
