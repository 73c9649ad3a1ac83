import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { listLanguages } from "@/lib/messages/queries";

/** The language list. Nothing is downloaded yet: the stored list stays as it is, and the answer says so. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({ summary: "Updates the language list", auth: "admin" }, async ({ say }) => {
    const { length } = await listLanguages();
    say(`The RPC specification was not downloaded; the ${length} stored languages stay as they are`);
  }),
});
