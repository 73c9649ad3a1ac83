import { z } from "zod";
import { type Answer, type Call, envelopeOf, refusal, success } from "@/example-directory/answer";
import type { ExampleApps } from "@/example-directory/apps";

const integer = (lowest: number, highest: number, initial: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.int().min(lowest).max(highest))
    .default(initial);
const flag = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .default(false);

/** The documented parameters that policy servers use; others are ignored. */
const applicationQuery = z.object({
  uuid: z
    .string()
    .transform((list) => list.split(",").filter((uuid) => uuid !== ""))
    .optional(),
  include_deleted: flag,
  include_blacklisted: flag,
  limit: integer(1, 1000, 50),
  offset: integer(0, 999_999_999, 0),
});

/** Body of `PUT application/approval/vendor` (`directory.md` 3.2). The app directory documents only two statuses. */
export const approvalBody = z.object({
  applications: z
    .array(
      z.object({
        uuid: z.string().optional(),
        version_id: z.int(),
        approval_status: z.enum(["LIMITED", "ACCEPTED"]),
        notes: z.string().nullish(),
        blacklist: z.boolean().optional(),
      }),
    )
    .min(1)
    .max(10_000),
});

/** `GET application` (`directory.md` 3.1). */
export function answerApplications({ query }: Call, apps: ExampleApps): Answer {
  const parsed = applicationQuery.safeParse(Object.fromEntries(query));
  if (!parsed.success) return refusal(400, describe(parsed.error));
  const page = apps.page(parsed.data);
  return envelopeOf(`{"applications":[${page.map((record) => JSON.stringify(record)).join(",")}]}`);
}

/** `PUT application/approval/vendor` (`directory.md` 3.2): accepts all elements or none, and stores nothing. */
export function answerApproval({ body }: Call, apps: ExampleApps): Answer {
  const parsed = approvalBody.safeParse(parseJson(body ?? ""));
  if (!parsed.success) return refusal(400, describe(parsed.error));
  for (const { version_id: version, uuid } of parsed.data.applications) {
    const owner = apps.ownerOf(version);
    if (owner === null) return refusal(400, `There is no version ${version}`);
    if (uuid !== undefined && uuid !== owner) return refusal(400, `Version ${version} is not of ${uuid}`);
  }
  return success();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe({ issues: [issue] }: z.ZodError): string {
  return issue === undefined ? "Invalid request" : `${issue.path.join(".") || "body"}: ${issue.message}`;
}
