import "server-only";
import { randomUUID } from "node:crypto";
import { unstable_rethrow } from "next/navigation";
import { log } from "@/lib/platform/log";

/** What a part of a page shows: its data, or the reference under which the log says why there are none. */
export type Part<T> = { readonly value: T } | { readonly reference: string };

/**
 * Reads what a page shows beside its point. When that fails the rest of the page is shown, and this part alone says so
 * with a `PartProblem`. What a page is about is read without this: without it there is no
 * page.
 *
 * @param name what the part is, for the log
 * @throws only what is no failure: the redirects and not-found marks of Next
 */
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
