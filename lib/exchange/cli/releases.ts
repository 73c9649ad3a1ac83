import type { Api } from "@/lib/exchange/cli/api";
import { readJson } from "@/lib/exchange/cli/files";
import type { ViewOptions } from "@/lib/exchange/cli/exchange";
import { exitCodes, type TerminalReport } from "@/lib/exchange/cli/terminal";
import { returnedAnswer } from "@/lib/releases/answer-schema";
import { releasePlan } from "@/lib/releases/publish/schema";
import { simulationAnswer } from "@/lib/policy/why/answer-schema";

interface ReturnOptions {
  readonly name?: string | undefined;
  readonly note?: string | undefined;
  /** Publish despite findings, for this reason. */
  readonly force?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

const bodyOf = ({ name, note, force, dryRun }: ReturnOptions) => ({
  ...(name === undefined ? {} : { name }),
  ...(note === undefined ? {} : { note }),
  ...(force === undefined ? {} : { force: true, reason: force }),
  dry_run: dryRun ?? false,
});

export interface PublishOptions extends ReturnOptions {
  readonly plan?: string | undefined;
  readonly all?: boolean | undefined;
}

/** `releases.md` L9, `gate.md` W10. Without `plan` and `all`, lists what can be published. */
export async function publish(api: Api, options: PublishOptions): Promise<TerminalReport> {
  const { plan, all = false } = options;
  const chosen = plan === undefined ? { items: "all" } : { plan: await readJson(plan) };
  // A pipeline must not fail for edits that change no content, such as comments.
  if (releasePlan.safeParse(chosen.plan).data?.items.length === 0) {
    return { data: {}, lines: ["Nothing to publish: the plan names nothing"] };
  }
  const isTold = plan === undefined && !all && options.dryRun !== true;
  const asked = isTold ? { ...options, dryRun: true } : options;
  const report = reportRelease(
    await api.ask("/releases", { method: "POST", body: { ...bodyOf(asked), ...chosen } }),
    asked,
  );
  if (!isTold) return report;
  const sentence = "Nothing was published: --plan names a plan of diff --out, --all takes everything";
  return { ...report, lines: [...report.lines, sentence], exitCode: exitCodes.wrongUse };
}

/** `releases.md` L12. */
export async function returnTo(api: Api, release: number, options: ReturnOptions): Promise<TerminalReport> {
  const data = await api.ask(`/releases/${release}/return`, { method: "POST", body: bodyOf(options) });
  return reportRelease(data, options);
}

function reportRelease(answer: unknown, { dryRun }: ReturnOptions): TerminalReport {
  const data = returnedAnswer.parse(answer);
  if ("approval" in data) return { data, lines: [`Another person has to approve this first: ${data.approval.path}`] };
  const { release, checks = [], effect } = data;
  const done = dryRun === true ? "Would be published" : `Release ${release.number} is published`;
  return {
    data,
    lines: [
      `${done}: ${release.items.length} items`,
      ...release.items.map(({ family, key, summary }) => `  ${family} ${key}: ${summary}`),
      ...checks.map(({ level, family, key, message }) => `  ${level}: ${family} ${key}: ${message}`),
      ...(effect === undefined
        ? []
        : [
            `  ${effect.apps_changed} apps change${effect.default_changed ? ", and every app without an entry of its own" : ""}`,
          ]),
    ],
  };
}

/** `releases.md` L15. */
export async function simulateRequest(api: Api, file: string, options: ViewOptions): Promise<TerminalReport> {
  const { environment, release } = options;
  const view = release === undefined ? { environment: environment ?? "production" } : { release };
  const answer = await api.ask("/policy/simulate", {
    method: "POST",
    body: { ...view, request: await readJson(file) },
  });
  const data = simulationAnswer.parse(answer);
  const verdict = ([build, { is_accepted, findings }]: [string, (typeof data.verdict)["regular"]]) =>
    `${build}: ${is_accepted ? "taken" : "refused"}, ${findings.length} findings`;
  return {
    data,
    lines: [
      ...data.reasons.map(({ id, sentence }) => `${id}: ${sentence}`),
      ...Object.entries(data.verdict).map(verdict),
      `${data.bytes.plain} bytes, ${data.bytes.gzip} with gzip`,
    ],
  };
}
