import { expect, it } from "vitest";
import { DatabaseRefused } from "@/lib/platform/db/connection/errors";
import { toAppError } from "@/app/_api/answer-request";

it("0.5: tells nobody the text of a library's error, whatever its name", () => {
  const named = Object.assign(new Error("text of a library"), { name: "AppError", code: "invalid" });
  expect(toAppError(named)).toMatchObject({ status: 500, message: "Internal server error" });
  expect(toAppError(new DatabaseRefused("too old"))).toMatchObject({ status: 503 });
});
