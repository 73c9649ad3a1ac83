/** A sentence around the name of something: the texts before and after it. */
export interface Around {
  readonly head: string;
  readonly tail: string;
}

/** Stands for the name in `around`. */
export const it = Symbol("name");

/**
 * Builds a sentence around a name that is not known yet. Nothing is replaced later, so texts that people chose may
 * contain anything.
 *
 * @example
 * around`granted the group ${group} to ${it}`;
 */
export function around(texts: TemplateStringsArray, ...values: readonly (string | typeof it)[]): Around {
  const at = values.indexOf(it);
  return {
    head: String.raw({ raw: texts.slice(0, at + 1) }, ...values.slice(0, at)),
    tail: String.raw({ raw: texts.slice(at + 1) }, ...values.slice(at + 1)),
  };
}
