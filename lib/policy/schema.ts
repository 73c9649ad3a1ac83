import { z } from "zod";
import { queryEnvironment } from "@/lib/http/query";
import { environments } from "@/lib/policy/vocabulary";

/** Query of `GET policy/preview` (`api.md` 9.2). */
export const previewQuery = z.object({ environment: queryEnvironment("production") });

/** Query of `POST policy/apps`; a value that is no environment leaves the choice to the body (`api.md` 9.3). */
export const segmentQuery = z.object({
  environment: z
    .string()
    .transform((text) => environments.find((environment) => environment === text.toLowerCase()))
    .optional(),
});

/** Body of `POST policy/apps`; the table itself is read by the rules of policy requests. */
export const segmentBody = z.object({
  environment: z
    .unknown()
    .transform((value) => (typeof value === "string" && value.toLowerCase() === "staging" ? "staging" : "production")),
  policy_table: z.unknown(),
});
