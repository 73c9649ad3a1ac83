import { sendBackup } from "@/lib/platform/backup/commands";
import { methods, route } from "@/app/_api/api-route";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { loadSettings } from "@/lib/platform/settings";
import { tableDigester } from "@/lib/policy/table-digests";

/** A file for `open-policy restore` (`exchange.md` X11). */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Backs up all data, private keys included, as one file",
    needs: "administer",
    fileTypes: ["application/gzip"],
    handle: ({ request, writer }) =>
      // A HEAD request opens no file that would have to be closed.
      request.method === "HEAD" ? {} : send(writer),
  }),
});

function send(writer: WriteContext) {
  const settings = loadSettings();
  return sendBackup({ dataDir: settings.dataDir, digest: tableDigester(settings) }, writer, new Date());
}
