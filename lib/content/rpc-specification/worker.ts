/**
 * Entry of the worker that reads one RPC specification: parsing takes longer than a vehicle may wait for its answer.
 * `commands.ts` starts and ends it.
 */
import { parentPort } from "node:worker_threads";
import { isSpecificationRefused } from "@/lib/content/rpc-specification/errors";
import { readXml, type XmlElement } from "@/lib/content/rpc-specification/xml";
import {
  buildSpecification,
  type BuiltSpecification,
  type ListedLanguages,
  listSpecifiedLanguages,
} from "@/lib/content/rpc-specification/build";

/** What can be read out of a document. */
export interface Readings {
  readonly languages: ListedLanguages;
  readonly specification: BuiltSpecification;
}
export type ReadingName = keyof Readings;

const readings: { readonly [Name in ReadingName]: (root: XmlElement) => Readings[Name] } = {
  languages: listSpecifiedLanguages,
  specification: buildSpecification,
};

interface ReadingRequest {
  readonly wanted: ReadingName;
  /** The document. */
  readonly text: string;
}

/** `problem` is the sentence of a `SpecificationRefused`. */
export type ReadingAnswer = { readonly output: Readings[ReadingName] } | { readonly problem: string };

function answer({ wanted, text }: ReadingRequest): ReadingAnswer {
  try {
    return { output: readings[wanted](readXml(text)) };
  } catch (error) {
    if (isSpecificationRefused(error)) return { problem: error.message };
    throw error;
  }
}

// The one who starts it is a file of the same build.
parentPort?.on("message", (request: ReadingRequest) => parentPort?.postMessage(answer(request)));
