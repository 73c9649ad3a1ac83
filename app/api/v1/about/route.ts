import { aboutAnswer } from "@/app/(console)/about/answer-schema";
import { loadAbout } from "@/app/(console)/about/queries";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Describes the running configuration",
    needs: "read",
    answer: aboutAnswer,
    handle: () => loadAbout(),
  }),
});
