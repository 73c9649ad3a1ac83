import { z } from "zod";
import { routeSections } from "@/app/_api/routes";
import { methods } from "@/app/_api/api-route";
import { withFacts } from "@/app/_api/route-facts";
import { buildSharedHeaders } from "@/lib/platform/http/headers/shared-headers";
import { buildDocument } from "@/app/_api/openapi/build-document";
import { packageVersion } from "@/lib/platform/version";

/** Built on first use: it only changes with the program. */
let text: string | undefined;

/** Without the envelope, so that tools can use it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: withFacts(answerDocument, {
    summary: "Describes this API in OpenAPI 3.1",
    needs: "public",
    form: "json",
    answer: z.looseObject({ openapi: z.literal("3.1.0") }),
    beforeReady: true,
  }),
});

function answerDocument() {
  text ??= JSON.stringify(buildDocument(routeSections, packageVersion));
  const headers = { ...buildSharedHeaders(), "Content-Type": "application/json; charset=utf-8" };
  return Promise.resolve(new Response(text, { headers }));
}
