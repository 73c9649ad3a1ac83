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

/** The secrets that each process needs (rule E11). `main` checks all of them, and the console uses all. */
export const secretsOf = {
  "vehicle-worker": [
    "MONGODB_URI",
    "KEY_ENCRYPTION_KEY",
    "CERTIFICATE_PASSPHRASE",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "OTEL_EXPORTER_OTLP_HEADERS",
  ],
  database: [],
  console: secretVariables,
} as const satisfies Readonly<Record<string, readonly VariableName[]>>;
