import { updateLanguages } from "@/lib/apps/directory/apps/on-demand";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Adds the languages of the RPC specification",
    needs: "edit",
    handle: async ({ writer }) => {
      await updateLanguages(writer);
    },
  }),
});
