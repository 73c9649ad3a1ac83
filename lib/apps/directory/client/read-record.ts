import type { z } from "zod";
import { directoryApplication, type DirectoryApplication } from "@/lib/apps/directory/answers/schema";

export interface DirectoryRecordHead {
  readonly uuid: string;
  readonly versionId: number | null;
  readonly isDeleted: boolean;
  readonly isBlacklisted: boolean;
}

/** The uuid is null if it is unusable. */
export interface Malformed {
  readonly uuid: string | null;
  readonly reason: string;
}

const state = directoryApplication.pick({ uuid: true, deleted_ts: true, blacklisted_ts: true });
const head = state.extend({ version_id: directoryApplication.shape.version_id });

/** Reads only the few members that settle most records. */
export function readHead(record: unknown): DirectoryRecordHead | Malformed {
  const whole = head.safeParse(record, { error: describeIssue });
  if (whole.success) return { ...stateOf(whole.data), versionId: whole.data.version_id };
  const found = state.safeParse(record, { error: describeIssue });
  if (!found.success) return { uuid: null, reason: describe(found.error) };
  const { uuid, isDeleted, isBlacklisted } = stateOf(found.data);
  // The version number is irrelevant for a deleted or blacklisted app.
  if (isDeleted || isBlacklisted) return { uuid, versionId: null, isDeleted, isBlacklisted };
  return { uuid, reason: describe(whole.error) };
}

const stateOf = ({ uuid, deleted_ts, blacklisted_ts }: z.infer<typeof state>) => {
  return { uuid, isDeleted: deleted_ts !== null, isBlacklisted: blacklisted_ts !== null };
};

/** Returns a text with the problems if the record is malformed. */
export function readRecord(record: unknown): DirectoryApplication | string {
  const result = directoryApplication.safeParse(record, { error: describeIssue });
  return result.success ? result.data : describe(result.error);
}

function describe(error: z.ZodError): string {
  const sentences = error.issues.map(({ path, message }) =>
    path.length === 0 ? "the record must be an object" : `${path.map(String).join(".")} ${message}`,
  );
  return [...new Set(sentences)].join("; ");
}

const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  boolean: "true or false",
  object: "an object",
  int: "an integer",
  number: "an integer",
};

/** The value is not quoted, because it may be anything. */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return "is missing";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return "must not be empty";
    case "too_big":
      return issue.origin === "string" ? `must have at most ${issue.maximum} characters` : "is too large";
    default:
      return "is not valid";
  }
}
