import { loadAbout } from "@/lib/about/queries";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

/** The running configuration, for the about page. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: "admin" }, () => loadAbout()),
});
