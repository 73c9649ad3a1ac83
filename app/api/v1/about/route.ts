import { aboutAnswer } from "@/lib/console/about/answer-schema";
import { loadAbout } from "@/lib/console/about/queries";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** The running configuration, for the about page. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ summary: "Tells the running configuration", needs: "read", answer: aboutAnswer }, () => loadAbout()),
});
