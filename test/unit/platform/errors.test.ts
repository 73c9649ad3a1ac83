import { beforeAll, describe, expect, it, vi } from "vitest";
import { DatabaseRefused, isUnavailable } from "@/lib/platform/db/connection/errors";
import { AppError, isAppError } from "@/lib/platform/errors";
import { toAppError } from "@/app/_api/answer-request";
import type * as databaseErrors from "@/lib/platform/db/connection/errors";
import type * as errors from "@/lib/platform/errors";

describe("finding C4: errors are told by their names, whichever bundle made them", () => {
  let other: { app: typeof errors; db: typeof databaseErrors };
  beforeAll(async () => {
    vi.resetModules();
    other = { app: await import("@/lib/platform/errors"), db: await import("@/lib/platform/db/connection/errors") };
  });

  it("knows the errors of another copy of the class, with all that is in them", () => {
    const foreign = new other.app.AppError("conflict", "Load it again", { data: { id: 3 } });
    expect(foreign).not.toBeInstanceOf(AppError);
    expect(isAppError(foreign)).toBe(true);
    expect(toAppError(foreign)).toBe(foreign);
    expect(isUnavailable(new other.db.DatabaseUnavailable("away"))).toBe(true);
  });

  it("does not take other errors for ours", () => {
    const named = Object.assign(new Error("text of a library"), { name: "AppError" });
    for (const error of [null, undefined, "AppError", { name: "AppError", code: "invalid" }, named, new Error("x")]) {
      expect(isAppError(error)).toBe(false);
    }
    expect(toAppError(named)).toMatchObject({ status: 500, message: "Internal server error" });
    expect(toAppError(new DatabaseRefused("too old"))).toMatchObject({ status: 503 });
    expect(isAppError(new DatabaseRefused("too old"))).toBe(false);
  });
});
