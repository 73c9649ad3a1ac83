import { sendBackup } from "@/lib/platform/backup/commands";
import { methods, route } from "@/lib/routes/route";
import { loadSettings } from "@/lib/platform/settings";

/** All data of the server as they are now, as the file that `open-policy restore` takes (`exchange.md` X11). */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Backs up all data, private keys included, as one file",
    needs: "administer",
    fileTypes: ["application/gzip"],
    handle: ({ request, writer }) =>
      // Whoever asks only for the headers gets no file to close.
      request.method === "HEAD" ? {} : sendBackup(loadSettings().dataDir, writer, new Date()),
  }),
});
