import type { z } from "zod";
import { AppError } from "@/lib/platform/errors";

const kinds: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
  null: "null",
};

/** Validates external input. Throws AppError 400 that names the first wrong field (`api.md` 0.5). */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  throw buildInputError(result.error);
}

export function buildInputError(error: z.ZodError): AppError {
  const [issue] = error.issues;
  if (issue === undefined) return new AppError("invalid", undefined, { cause: error });
  const path = issue.path.map(String).join(".");
  const field = String(issue.path.at(-1) ?? "");
  // A message is a whole sentence if it starts with a capital or names the field; otherwise it follows the field.
  const isWhole = path === "" || /^\p{Lu}/u.test(issue.message) || issue.message.includes(field);
  const sentence = isWhole ? issue.message : `${path} ${issue.message}`;
  const element = isWhole ? describeElement(issue.path) : "";
  return new AppError("invalid", element === "" ? sentence : `${sentence} (${element})`, { cause: error });
}

function describeElement(path: readonly PropertyKey[]): string {
  const last = path.findLastIndex((step) => typeof step === "number");
  return path
    .slice(0, last + 1)
    .map((step, at) => (typeof step === "number" ? `[${step}]` : `${at === 0 ? "" : "."}${String(step)}`))
    .join("");
}

/** Default messages for schemas without their own. They never repeat the value. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.input === undefined ? "is required" : "has an unknown value";
    case "invalid_union":
      return issue.input === undefined ? "is required" : "has the wrong type";
    case "too_small":
      return `must ${measure(issue.origin, "at least", Number(issue.minimum))}`;
    case "too_big":
      return `must ${measure(issue.origin, "at most", Number(issue.maximum))}`;
    case "invalid_format":
      return "has the wrong format";
    default:
      return "is invalid";
  }
}

function measure(origin: string, bound: "at least" | "at most", limit: number): string {
  if (origin === "string") return `have ${bound} ${limit} character${limit === 1 ? "" : "s"}`;
  if (origin === "array" || origin === "set") return `have ${bound} ${limit} element${limit === 1 ? "" : "s"}`;
  return `be ${bound} ${limit}`;
}
