import { aboutAnswer } from "@/lib/console/about/answer-schema";
import { loadAbout } from "@/lib/console/about/queries";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Describes the running configuration",
    needs: "read",
    answer: aboutAnswer,
    handle: () => loadAbout(),
  }),
});
