import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { loadWireTypes } from "@/lib/vehicle-data/queries";

/** The types that custom vehicle data may have. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: "admin" }, async () => ({ type: await loadWireTypes() })),
});
