import { z } from "zod";
import { buildExchangeSchema } from "@/lib/exchange/schema";
import { buildSharedHeaders } from "@/lib/platform/http/headers/shared-headers";
import { methods } from "@/app/_api/api-route";
import { withFacts } from "@/app/_api/route-facts";

/** Without the envelope, so that editors can use it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: withFacts(answerSchema, {
    summary: "Describes the document of an exchange as JSON Schema",
    needs: "public",
    form: "json",
    answer: z.looseObject({ title: z.string() }),
    beforeReady: true,
  }),
});

function answerSchema() {
  return Promise.resolve(Response.json(buildExchangeSchema(), { headers: buildSharedHeaders() }));
}
