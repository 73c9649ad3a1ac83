import "server-only";
import { isAuthorityValid } from "@/lib/certificates/generation";
import type { CountersAnswer } from "@/app/_console/answer-schema";
import { type Waiting, type WaitingKind, waitingKinds } from "@/app/(console)/(overview)/answer-schema";
import type { ApprovalJson, ScheduledReleaseJson } from "@/lib/releases/answer-schema";
import type { Need } from "@/lib/vocabulary/roles";
import { loadSettings } from "@/lib/platform/settings";
import { policyStatus } from "@/lib/policy/status";
import { AppCertificateModel } from "@/models/app-certificate";
import { ModuleConfigModel } from "@/models/module-config";

/** Milliseconds; a working renewal happens earlier than this before expiry (`directory.md` X1). */
const endingMs = 86_400_000;

interface Sources {
  readonly counters: CountersAnswer;
  readonly approvals: readonly ApprovalJson[];
  readonly scheduled: readonly ScheduledReleaseJson[];
}

type Found = readonly [count: number, needs: Need, path: string, detail?: string | null | undefined];

/** Riskiest first, without kinds that have nothing waiting (`people.md` P18). */
export async function listWaiting({ counters, approvals, scheduled }: Sources, now: Date): Promise<Waiting[]> {
  const open = approvals.filter(({ rejected }) => rejected === null);
  const yours = open.filter((one) => one.refusal === null && one.void_because === null);
  const stopped = scheduled.filter(({ state }) => state === "stopped");
  const next = scheduled.find(({ state }) => state === "waiting");
  const { unmapped_rpcs: rpcs, unmapped_parameters: parameters } = counters;
  const found: Readonly<Record<WaitingKind, Found>> = {
    database: findTrouble(),
    ...(await findCertificates(now)),
    stopped_releases: [stopped.length, "publish", "/releases#scheduled", stopped[0]?.stopped_because],
    approvals: [yours.length, "publish", pathOf(yours)],
    applications: [counters.pending_applications, "edit", "/applications?state=review"],
    changes: [counters.unpublished_changes, "publish", "/changes"],
    failed_tasks: [counters.failed_tasks, "edit", "/about#directory"],
    unreadable_applications: [counters.unreadable_applications, "read", "/about#directory"],
    unmapped_permissions: [rpcs + parameters, "edit", "/functionalgroups?environment=production&panel=unmapped"],
    others_approvals: [open.length - yours.length, "publish", "/changes"],
    scheduled_releases: [scheduled.length - stopped.length, "publish", "/releases#scheduled", next?.at],
  };
  return waitingKinds.flatMap((kind) => {
    const [count, needs, path, detail = null] = found[kind];
    return count === 0 ? [] : [{ kind, count, needs, path, detail }];
  });
}

/** A single request leads to its own page, several to the page with all. */
function pathOf([first, ...others]: readonly ApprovalJson[]): string {
  return first === undefined || others.length > 0 ? "/changes" : first.path;
}

function findTrouble(): Found {
  const status = policyStatus();
  const detail = status?.unexpectedDatabase ?? (status?.state === "degraded" ? status.lastError : null);
  const isTrouble = status !== null && (status.unexpectedDatabase !== null || status.state === "degraded");
  return [isTrouble ? 1 : 0, "administer", "/about#status", detail];
}

async function findCertificates(
  now: Date,
): Promise<Readonly<Record<"authority" | "expired_certificates" | "ending_certificates", Found>>> {
  const { certificateGeneration } = loadSettings();
  const soon = new Date(now.getTime() + endingMs);
  const count = (range: object) => AppCertificateModel.countDocuments({ expirationTs: range });
  const first = (range: object) =>
    AppCertificateModel.findOne({ expirationTs: range }, { _id: 1 }).sort({ expirationTs: 1 }).lean();
  const [gone, close] = [{ $lte: now }, { $gt: now, $lte: soon }];
  const [isUsable, config, expired, ending, firstExpired, firstEnding] = await Promise.all([
    !certificateGeneration.enabled || isAuthorityValid(certificateGeneration),
    ModuleConfigModel.findOne({ status: "PRODUCTION" }, { expirationTs: 1 }).sort({ _id: -1 }).lean(),
    count(gone),
    count(close),
    first(gone),
    first(close),
  ]);
  const end = config?.expirationTs ?? null;
  const [isExpired, isEnding] = [end !== null && end <= now, end !== null && end > now && end <= soon];
  const path = (isModule: boolean, app: { readonly _id: string } | null) =>
    isModule || app === null ? "/moduleconfig?environment=production" : `/applications/${encodeURIComponent(app._id)}`;
  return {
    authority: [isUsable ? 0 : 1, "administer", "/about#settings"],
    expired_certificates: [expired + Number(isExpired), "administer", path(isExpired, firstExpired)],
    ending_certificates: [ending + Number(isEnding), "administer", path(isEnding, firstEnding)],
  };
}
