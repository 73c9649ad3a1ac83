import { updateLanguages } from "@/lib/apps/directory/apps/on-demand";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** Adds the languages of the RPC specification to the language list, and answers when they are stored. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({ summary: "Adds the languages of the RPC specification", needs: "edit" }, async ({ writer }) => {
    await updateLanguages(writer);
  }),
});
