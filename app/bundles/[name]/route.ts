import { z } from "zod";
import { type KeptBundle, findKeptBundle } from "@/lib/bundles/local";
import { AppError } from "@/lib/errors";
import { answerRequest } from "@/lib/http/answer-request";
import { methods } from "@/lib/http/methods";
import { type RouteHandler } from "@/lib/http/route";
import { buildSharedHeaders } from "@/lib/http/shared-headers";
import { loadSettings } from "@/lib/settings";

const nameParams = z.object({ name: z.string().catch("") }).catch({ name: "" });

/**
 * The bundles of embedded apps that are kept here (`BUNDLE_HANDLER=local`), for head units: public, like the address of
 * every other bundle. Those kept before another handler was set stay reachable, because their addresses are out.
 */
const answerBundle: RouteHandler = async (request, context) => {
  let bundle = null as KeptBundle | null;
  const answer = await answerRequest(request, {}, async () => {
    const { name } = nameParams.parse(await context?.params);
    bundle = await findKeptBundle(name, loadSettings().bundleDir);
    if (bundle === null) throw new AppError("notFound");
  });
  return bundle === null ? answer : buildFile(bundle);
};

function buildFile({ sizeBytes, read }: KeptBundle): Response {
  return new Response(read(), {
    headers: {
      ...buildSharedHeaders(),
      "Content-Type": "application/zip",
      "Content-Length": String(sizeBytes),
      "Content-Disposition": "attachment",
      // A name is never used for another file.
      "Cache-Control": "public, max-age=31536000, immutable",
    },
  });
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: answerBundle });

export const dynamic = "force-dynamic";
