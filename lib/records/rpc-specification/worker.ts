/** Worker that reads one RPC specification. Parsing would block vehicle requests for too long. */
import { parentPort } from "node:worker_threads";
import { SpecificationRefused } from "@/lib/records/rpc-specification/errors";
import { readXml, type XmlElement } from "@/lib/records/rpc-specification/xml";
import {
  buildSpecification,
  type BuiltSpecification,
  type ListedLanguages,
  listSpecifiedLanguages,
} from "@/lib/records/rpc-specification/build";

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
  readonly text: string;
}

export type ReadingAnswer = { readonly output: Readings[ReadingName] } | { readonly problem: string };

function answer({ wanted, text }: ReadingRequest): ReadingAnswer {
  try {
    return { output: readings[wanted](readXml(text)) };
  } catch (error) {
    if (error instanceof SpecificationRefused) return { problem: error.message };
    throw error;
  }
}

// Not validated: the other side belongs to the same build.
parentPort?.on("message", (request: ReadingRequest) => parentPort?.postMessage(answer(request)));
