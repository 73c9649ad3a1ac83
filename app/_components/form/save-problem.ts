import type { z } from "zod";
import type { FieldErrors } from "@/app/_components/form/field-errors";

/** What the schema of a save finds, by the path of the member; of several at one place the first. */
export function toFieldErrors(error: z.ZodError): FieldErrors {
  const errors: Record<string, string> = {};
  for (const { path, message } of error.issues) errors[path.map(String).join(".")] ??= message;
  return errors;
}

/** The version that somebody else has saved meanwhile, as a 409 tells it; null: the item is gone. */
export interface Theirs<T> {
  readonly value: T;
  readonly id: number;
}

/** `data.current` of a 409, when it has an id. */
export function readCurrent(data: unknown): (object & { readonly id: number }) | null {
  if (typeof data !== "object" || data === null || !("current" in data)) return null;
  const { current } = data;
  if (typeof current !== "object" || current === null || !("id" in current)) return null;
  return typeof current.id === "number" ? { ...current, id: current.id } : null;
}
