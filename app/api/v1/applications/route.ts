import { findApplications, loadApplications } from "@/lib/applications/queries";
import { listApplicationsQuery } from "@/lib/applications/schema";
import { streamApplications } from "@/lib/applications/stream";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { StreamedData } from "@/lib/http/streamed-data";

/** Applications: one, those of a status, or all; the whole list is sent as it is read. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: "admin", input: { query: listApplicationsQuery } }, async ({ input: { query } }) => {
    const { ids, nextCursor } = await findApplications(query);
    if (nextCursor === undefined) return StreamedData.start(streamApplications(ids));
    return { applications: await loadApplications(ids), next_cursor: nextCursor };
  }),
});
