import { ZodError } from "zod";
import { isDatabaseRefused, isUnavailable, toDatabaseError } from "@/lib/platform/db/connection/errors";
import { AppError, isAppError } from "@/lib/platform/errors";
import { buildInputError } from "@/lib/platform/http/read/parse-input";

/**
 * What a caller is told of a failure (`api.md` 0.5): an `AppError` as it is, a zod error as 400 naming the field, a
 * database out of reach, or without space for writes, as 503, everything else as a 500 that says nothing. The original stays in `cause`.
 */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  if (error instanceof ZodError) return buildInputError(error);
  if (isUnavailable(error) || isDatabaseRefused(error))
    return new AppError("unavailable", sentenceOf(toDatabaseError(error)), { cause: error });
  return new AppError("internal", undefined, { cause: error });
}

/** Told by its member, since the error may come from another bundle's copy of the class. */
function sentenceOf(error: unknown): string | undefined {
  return error instanceof Error && "sentence" in error && typeof error.sentence === "string"
    ? error.sentence
    : undefined;
}
