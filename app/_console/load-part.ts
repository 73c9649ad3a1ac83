import "server-only";
import { randomUUID } from "node:crypto";
import { unstable_rethrow } from "next/navigation";
import { log } from "@/lib/platform/log";

/** `reference`: of the error in the log. */
export type Part<T> = { readonly value: T } | { readonly reference: string };

/** A failure affects only this part of the page. Throws only Next's redirects and signals. */
export async function loadPart<T>(name: string, read: () => Promise<T>): Promise<Part<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    unstable_rethrow(error);
    const reference = randomUUID();
    log.error({ err: error, part: name, reference }, "a part of a page could not be read");
    return { reference };
  }
}
