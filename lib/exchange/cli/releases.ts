import type { Api } from "@/lib/exchange/cli/api";
import { locating, readJson, readJsonDocument } from "@/lib/exchange/cli/files";
import type { ViewOptions } from "@/lib/exchange/cli/exchange";
import { exitCodes, type TerminalReport } from "@/lib/exchange/cli/terminal";
import {
  publicationAnswer,
  type ReleaseCheckJson,
  type ReleaseEffectJson,
  type ReleaseItemJson,
} from "@/lib/releases/answer-schema";
import { releasePlan } from "@/lib/releases/publish/schema";
import type { RolloutStep } from "@/lib/vocabulary/rollouts";
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
  readonly at?: string | undefined;
  readonly steps?: readonly RolloutStep[] | undefined;
}

/** Of `1:24,10:24,100`, percent and hours of each step; null: it is not such a list. */
export function readSteps(text: string): RolloutStep[] | null {
  if (!/^[\d.]+(?::[\d.]+)?(?:,[\d.]+(?::[\d.]+)?)*$/.test(text)) return null;
  return text.split(",").map((step) => {
    const [percent, hours] = step.split(":");
    return { percent: Number(percent), hours: hours === undefined ? null : Number(hours) };
  });
}

/** `releases.md` L9, `gate.md` W10. Without `plan` and `all`, lists what can be published. */
export async function publish(api: Api, options: PublishOptions): Promise<TerminalReport> {
  const { plan, all = false, at, steps } = options;
  const given = plan === undefined ? null : await readJsonDocument(plan, "plan");
  const chosen = given === null ? { items: "all" } : { plan: given.document };
  // A pipeline must not fail for edits that change no content, such as comments.
  if (releasePlan.safeParse(given?.document).data?.items.length === 0) {
    return { data: {}, lines: ["Nothing to publish: the plan names nothing"] };
  }
  const isTold = plan === undefined && !all && options.dryRun !== true;
  const asked = isTold ? { ...options, dryRun: true } : options;
  const body = { ...bodyOf(asked), ...chosen, at, ...(steps && { rollout: { steps } }) };
  const answer = await locating(api.ask("/releases", { method: "POST", body }), given?.locate);
  const report = reportRelease(answer, asked);
  if (!isTold) return report;
  const sentence = "Nothing was published: --plan names a plan of diff --out, --all takes everything";
  return { ...report, lines: [...report.lines, sentence], exitCode: exitCodes.wrongUse };
}

/** `releases.md` L12. */
export async function returnTo(api: Api, release: number, options: ReturnOptions): Promise<TerminalReport> {
  const data = await api.ask(`/releases/${release}/return`, { method: "POST", body: bodyOf(options) });
  return reportRelease(data, options);
}

function reportRelease(answer: unknown, { dryRun = false }: ReturnOptions): TerminalReport {
  const data = publicationAnswer.parse(answer);
  if ("approval" in data) return { data, lines: [`Another person has to approve this first: ${data.approval.path}`] };
  if ("scheduled" in data) {
    return { data, lines: data.scheduled.map(({ id, at }) => `Scheduled release ${id} is published at ${at}`) };
  }
  const { release, checks = [], effect } = data;
  const done = dryRun ? "Would be published" : `Release ${release.number} is published`;
  const { items } = release;
  return { data, lines: [`${done}: ${items.length} items`, ...describeItems({ items, checks, effect })] };
}

interface Described {
  readonly items: readonly Pick<ReleaseItemJson, "family" | "key" | "summary">[];
  readonly checks: readonly ReleaseCheckJson[];
  readonly effect?: Pick<ReleaseEffectJson, "apps_changed" | "default_changed"> | undefined;
}

/** One line each, after a heading. */
export function describeItems({ items, checks, effect }: Described): string[] {
  return [
    ...items.map(({ family, key, summary }) => `  ${family} ${key}: ${summary}`),
    ...checks.map(({ level, family, key, message }) => `  ${level}: ${family} ${key}: ${message}`),
    ...(effect === undefined
      ? []
      : [
          `  ${effect.apps_changed} apps change${effect.default_changed ? ", and every app without an entry of its own" : ""}`,
        ]),
  ];
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
