import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { saveModuleConfig } from "@/lib/module-config/commands";
import { loadWireModuleConfigs } from "@/lib/module-config/queries";
import { moduleConfigBody, moduleConfigQuery } from "@/lib/module-config/schema";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  /** The module config of a view, or one record of its history. */
  GET: route({ auth: "admin", input: { query: moduleConfigQuery } }, async ({ input }) => ({
    module_configs: await loadWireModuleConfigs(input.query),
  })),
  /** Saves a new STAGING record. */
  POST: route({ auth: "admin", input: { body: moduleConfigBody } }, async ({ input, writer }) => {
    await saveModuleConfig(input.body, writer);
  }),
});
