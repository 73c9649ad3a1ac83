import { promote } from "@/lib/gate/approvals/ask";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";
import { promoteModuleConfigBody } from "@/lib/content/module-config/schema";

/** Publishes the newest module config; a body is not needed. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(
    {
      summary: "Publishes the newest module config",
      needs: "publish",
      failures: ["conflict"],
      input: { body: promoteModuleConfigBody },
    },
    ({ input, writer }) => promote("module_config", input.body, writer),
  ),
});
