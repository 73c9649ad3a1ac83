import { containerAnswer } from "@/lib/certificates/answer-schema";
import { requireContainerAccess } from "@/lib/certificates/app/container-access";
import { loadAppContainer } from "@/lib/certificates/app/on-demand";
import { appIdMembers } from "@/lib/certificates/schema";
import { methods, route } from "@/app/_api/api-route";

/** For the app itself: the passphrase protects the container, and `APP_CERTIFICATE_GET` says who may fetch it. */
const handler = route({
  summary: "Returns an app's container with certificate and key",
  needs: "public",
  answer: containerAnswer,
  input: { query: appIdMembers, body: appIdMembers },
  handle: async ({ input, request, responseHeaders, writer }) => {
    responseHeaders.set("Cache-Control", "no-store");
    await requireContainerAccess(request);
    return { certificate: await loadAppContainer(input.body ?? input.query, writer) };
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: handler, POST: handler });
