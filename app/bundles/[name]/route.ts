import { z } from "zod";
import { buildBundleHeaders, type KeptBundle, findKeptBundle } from "@/lib/apps/bundles/local";
import { AppError } from "@/lib/platform/errors";
import { answerRequest } from "@/app/_api/answer-request";
import { methods, type RouteHandler } from "@/app/_api/api-route";
import { buildSharedHeaders } from "@/lib/platform/http/headers/shared-headers";
import { loadSettings } from "@/lib/platform/settings";

const nameParams = z.object({ name: z.string().catch("") }).catch({ name: "" });

/**
 * Embedded apps' bundles for head units (`BUNDLE_HANDLER=local`): public, and still reachable after a change of
 * handler.
 * `server/console-server.ts` serves existing ones itself, because Next removes `Content-Length`.
 */
const answerBundle: RouteHandler = async (request, context) => {
  let bundle = null as KeptBundle | null;
  const answer = await answerRequest(request, {}, async () => {
    const { name } = nameParams.parse(await context?.params);
    bundle = await findKeptBundle(name, loadSettings().bundleDir);
    if (bundle === null) throw new AppError("notFound");
  });
  if (bundle === null) return answer;
  return new Response(toStream(bundle.read()), {
    headers: { ...buildSharedHeaders(), ...forOtherSites, ...buildBundleHeaders(bundle) },
  });
};

/** Head unit apps load them from their own pages. */
const forOtherSites = { "Cross-Origin-Resource-Policy": "cross-origin" };

/** Reads no further than it sends; a client that disconnects closes the file. */
function toStream(pieces: AsyncGenerator<Uint8Array, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: answerBundle });

export const dynamic = "force-dynamic";
