import { z } from "zod";
import { isSecret } from "@/lib/platform/settings/kinds";
import { accessSettings } from "@/lib/platform/settings/table/access";
import { featureSettings } from "@/lib/platform/settings/table/features";
import { serverSettings } from "@/lib/platform/settings/table/server";

const { "Logging and operations": operations, ...server } = serverSettings;

/** All settings by section: kind, default and description. `.env.example` and `docs/settings.md` are generated from it. */
export const sections = { ...server, ...accessSettings, ...featureSettings, "Logging and operations": operations };

export const variables = z.object({
  ...server["Server and TLS"],
  ...server["Outgoing proxies"],
  ...server.Processes,
  ...server.Database,
  ...server["App directory and RPC specification"],
  ...accessSettings.Authentication,
  ...accessSettings["Head units"],
  ...accessSettings.Approvals,
  ...featureSettings.Certificates,
  ...featureSettings.Email,
  ...featureSettings["Embedded app bundles"],
  ...operations,
});

export type Variables = z.output<typeof variables>;
export type VariableName = keyof Variables;
export const variableNames = variables.keyof().options;

export const secretVariables = variableNames.filter((name) => isSecret(variables.shape[name]));
