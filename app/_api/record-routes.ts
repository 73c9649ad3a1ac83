import type { z } from "zod";
import { namesAnswer } from "@/lib/records/groups/wire";
import { exportRecords } from "@/lib/records/store/export";
import type { ExportForm } from "@/lib/records/store/file-form";
import { listNames } from "@/lib/records/store/queries";
import { promoteBody, type promoteAllBody } from "@/lib/records/store/query";
import { promote } from "@/lib/releases/approvals/request-approval";
import type { RecordItemFamily } from "@/lib/vocabulary/release-items";
import type { Environment } from "@/lib/vocabulary/terms";
import { methods, route } from "@/app/_api/api-route";

/** `POST …/promote`: skips ids with nothing to publish. */
export function promoteRoute(
  family: RecordItemFamily,
  summary: string,
  body: typeof promoteBody | typeof promoteAllBody = promoteBody,
) {
  return methods({
    POST: route({
      summary,
      needs: "publish",
      failures: ["conflict"],
      input: { body },
      handle: ({ input, writer }) => promote(family, input.body, writer),
    }),
  });
}

/** `GET …/names`: the keys in use, to prevent duplicates. */
export function namesRoute(family: RecordItemFamily, summary: string) {
  const handle = async () => ({ names: await listNames(family) });
  return methods({ GET: route({ summary, needs: "read", answer: namesAnswer, handle }) });
}

export function exportRoute<Query extends { readonly format: "csv" | "json"; readonly environment: Environment }, R>(
  summary: string,
  answer: z.ZodType,
  query: z.ZodType<Query>,
  form: ExportForm<R>,
  find: (query: Query) => Promise<readonly R[]>,
) {
  return methods({
    GET: route({
      summary,
      needs: "read",
      answer,
      fileTypes: ["text/csv", "application/json"],
      input: { query },
      handle: async ({ input }) => exportRecords(form, await find(input.query), input.query, new Date()),
    }),
  });
}
