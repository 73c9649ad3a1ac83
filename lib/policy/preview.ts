import { AppError } from "@/lib/platform/errors";
import { buildAnswer, buildSegmentAnswer, joinPlain, type AnswerParts } from "@/lib/policy/answer/answer";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { readSegment, type PolicyRequest, PolicyRequestError } from "@/lib/policy/answer/policy-request";

/** Only the text between these marks is replaced, so that a preview shows that something was removed. */
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/;

export function withoutPrivateKey(text: string): string {
  return text.replace(privateKey, "-----REDACTED-----");
}

interface PreviewTable {
  readonly module_config?: { readonly certificate?: string };
}

type PolicyData = readonly [{ readonly policy_table: PreviewTable }];

const preview: PolicyRequest = { apps: [], fullAppIdSupported: false, isOlder: false };

/** The whole table without app entries (`api.md` 9.2, rule G3) and without the module certificate's private key. */
export function buildPreview(policy: CompiledPolicy): PolicyData {
  const [{ policy_table }] = readAnswerData(buildAnswer(policy, preview, ""));
  const { module_config } = policy_table;
  if (module_config?.certificate === undefined) return [{ policy_table }];
  const certificate = withoutPrivateKey(module_config.certificate);
  return [{ policy_table: { ...policy_table, module_config: { ...module_config, certificate } } }];
}

/** The entries of some apps (`api.md` 9.3, rule G3). AppError 400 if `app_policies` is missing or has too many ids. */
export function buildSegment(policy: CompiledPolicy, table: unknown): PolicyData {
  try {
    return readAnswerData(buildSegmentAnswer(policy, readSegment(table), ""));
  } catch (cause) {
    throw cause instanceof PolicyRequestError ? new AppError("invalid", cause.message, { cause }) : cause;
  }
}

export function readAnswerData(parts: AnswerParts): PolicyData {
  const text = Buffer.concat(joinPlain(parts).buffers).toString();
  return (JSON.parse(text) as { data: PolicyData }).data;
}
