import { recordKeyRead } from "@/lib/certificates/audit";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";
import { moduleConfigsAnswer } from "@/lib/module-config/wire";
import { saveModuleConfig } from "@/lib/module-config/commands";
import { loadWireModuleConfigs } from "@/lib/module-config/queries";
import { moduleConfigBody, moduleConfigQuery } from "@/lib/module-config/schema";
import { saveAnswer } from "@/lib/policy/answer/answer-schema";
import { toFindingsMember } from "@/lib/policy/checks/table-faults";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  /** The module config of a view, or one record of its history. */
  GET: route(
    {
      summary: "Gives the module config of a view, or one record of its history",
      auth: "admin",
      answer: moduleConfigsAnswer,
      input: { query: moduleConfigQuery },
    },
    async ({ input, writer }) => {
      const configs = await loadWireModuleConfigs(input.query);
      for (const { private_key: key } of configs) if (key) await recordKeyRead(writer, "module_config", key);
      return { module_configs: configs };
    },
  ),
  /** Saves a new STAGING record. */
  POST: route(
    {
      summary: "Saves a module config as a new staging record",
      auth: "admin",
      answer: saveAnswer,
      input: { body: moduleConfigBody },
    },
    async ({ input, writer }) => toFindingsMember(await saveModuleConfig(input.body, writer)),
  ),
});
