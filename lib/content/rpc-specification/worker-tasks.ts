import {
  buildSpecification,
  type BuiltSpecification,
  type ListedLanguages,
  listSpecifiedLanguages,
} from "@/lib/content/rpc-specification/build";
import type { XmlElement } from "@/lib/content/rpc-specification/xml";

/** What can be read out of a document. */
export interface Readings {
  readonly languages: ListedLanguages;
  readonly specification: BuiltSpecification;
}
export type ReadingName = keyof Readings;

export const readings: { readonly [Name in ReadingName]: (root: XmlElement) => Readings[Name] } = {
  languages: listSpecifiedLanguages,
  specification: buildSpecification,
};

export interface ReadingRequest {
  readonly wanted: ReadingName;
  /** The document. */
  readonly text: string;
}

/** `problem` is the sentence of a `SpecificationRefused`. */
export type ReadingAnswer = { readonly output: Readings[ReadingName] } | { readonly problem: string };
