import { methods, route } from "@/app/_api/api-route";
import { storeAnswer, storeQuery } from "@/lib/apps/store/schema";
import { listStoreApps } from "@/lib/apps/store/queries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  {
    GET: route({
      summary: "Lists embedded apps that a head unit in staging may install",
      needs: "public",
      answer: storeAnswer,
      input: { query: storeQuery },
      handle: async ({ input }) => ({
        applications: await listStoreApps("STAGING", input.query),
      }),
    }),
  },
  { cors: "simple" },
);
