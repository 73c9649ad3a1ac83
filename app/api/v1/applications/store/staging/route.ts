import { methods, route } from "@/lib/routes/route";
import { storeAnswer } from "@/lib/content/store/answer-schema";
import { listStoreApps } from "@/lib/content/store/queries";
import { storeQuery } from "@/lib/content/store/schema";

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
