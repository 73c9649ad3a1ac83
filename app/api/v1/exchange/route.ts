import { exportAnswer, importAnswer } from "@/lib/exchange/answer-schema";
import { exportDocument } from "@/lib/exchange/families";
import { importDocument } from "@/lib/exchange/import";
import { exportQuery, importBody } from "@/lib/exchange/schema";
import { methods, route } from "@/app/_api/api-route";

/** `exchange.md` X2a */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Exports groups, messages, vehicle data, module config and decisions about apps as one document",
    needs: "read",
    answer: exportAnswer,
    input: { query: exportQuery },
    handle: async ({ input: { query } }) => ({ document: await exportDocument(query) }),
  }),
  POST: route({
    summary: "Imports a document into staging, all or nothing; publishes nothing",
    needs: "edit",
    moreNeeded: { needs: "publish", what: "A decision about an app, except a block or a step to staging," },
    answer: importAnswer,
    input: { body: importBody },
    failures: ["conflict"],
    // With decisions about all apps, a document exceeds the usual limit; it compresses to a tenth.
    maxBodyBytes: 16 * 1_048_576,
    handle: ({ input: { body }, writer }) => importDocument(body, writer),
  }),
});
