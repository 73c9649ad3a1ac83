import { may, requireMayDo } from "@/lib/platform/auth/may";
import { recordKeyRead } from "@/lib/certificates/audit";
import { methods, route } from "@/app/_api/api-route";
import { moduleConfigsAnswer, moduleSaveAnswer } from "@/lib/records/module-config/wire";
import { saveModuleConfig } from "@/lib/records/module-config/commands";
import { loadWireModuleConfigs } from "@/lib/records/module-config/queries";
import { moduleConfigBody, moduleConfigQuery } from "@/lib/records/module-config/schema";
import { hasCertificate } from "@/lib/records/module-config/rules";
import { toFindingsMember } from "@/lib/policy/checks/table-faults";
import { loadSettings } from "@/lib/platform/settings";
import { notePlainHttp } from "@/lib/vocabulary/phones";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns the module config of an environment, or one record of its history",
    needs: "read",
    moreNeeded: { needs: "administer", what: "An answer with the certificate and private_key" },
    answer: moduleConfigsAnswer,
    input: { query: moduleConfigQuery },
    handle: async ({ input, writer, principal }) => {
      const configs = await loadWireModuleConfigs(input.query, may(principal, "administer"));
      for (const { private_key: key } of configs) if (key) await recordKeyRead(writer, "module_config", key);
      return { module_configs: configs };
    },
  }),
  POST: route({
    summary: "Saves a module config as a new staging record",
    needs: "edit",
    moreNeeded: { needs: "administer", what: "A certificate or private_key in the body" },
    answer: moduleSaveAnswer,
    input: { body: moduleConfigBody },
    handle: async ({ input, writer, principal }) => {
      const { body } = input;
      if (hasCertificate(body)) requireMayDo(principal, "administer");
      // Callers who may not read the key cannot send it back: keep the stored one.
      const keep_certificate = body.keep_certificate || !may(principal, "administer");
      const findings = await saveModuleConfig({ ...body, keep_certificate }, writer);
      const notes = notePlainHttp(loadSettings().publicBaseUrl);
      return { ...toFindingsMember(findings), ...(notes.length > 0 && { notes }) };
    },
  }),
});
