import "server-only";
import { randomUUID } from "node:crypto";
import { unstable_rethrow } from "next/navigation";
import { log } from "@/lib/platform/log";

/** What a part of a page shows: its data, or the reference under which the log says why there are none. */
export type Part<T> = { readonly value: T } | { readonly reference: string };

/** Reads a secondary part of a page: if that fails, only this part says so. Throws only Next's redirects and marks. */
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
