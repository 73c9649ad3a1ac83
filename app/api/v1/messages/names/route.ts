import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { listMessageNames } from "@/lib/messages/queries";

/** Categories of consumer messages in use, to prevent doubles. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: "admin" }, async () => ({ names: await listMessageNames() })),
});
