import "server-only";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { listTasks } from "@/lib/apps/directory/queries";
import { loadSettings, type Settings } from "@/lib/platform/settings";
import { ApplicationModel } from "@/models/application";
import { AuditEventModel } from "@/models/audit-event";

/** Shown when there is nothing to do. */
export interface DirectoryNews {
  readonly directory: Settings["directory"];
  readonly webhookUrl: string;
  /** When apps were last synchronized with the app directory, ISO 8601. */
  readonly readAt: string | null;
  readonly lastDecision: { readonly id: number; readonly name: string; readonly at: string } | null;
}

/** Number of events to search for a decision; most events are one. */
const maxEvents = 50;
const decisionTarget = /^application:(\d{1,15})$/;

export async function loadDirectoryNews(): Promise<DirectoryNews> {
  await requireDatabase();
  const { directory, publicBaseUrl } = loadSettings();
  const [[task], lastDecision] = await Promise.all([listTasks(["applications"]), findLastDecision()]);
  return {
    directory,
    webhookUrl: `${publicBaseUrl}/api/v1/webhook`,
    readAt: task?.succeededAt?.toISOString() ?? null,
    lastDecision,
  };
}

async function findLastDecision(): Promise<DirectoryNews["lastDecision"]> {
  const events = await AuditEventModel.find({}, { at: 1, action: 1, target: 1 })
    .sort({ _id: -1 })
    .limit(maxEvents)
    .lean();
  const decision = events.find(({ action }) => action === "applications.action");
  const id = Number(decisionTarget.exec(decision?.target ?? "")?.[1]);
  if (decision === undefined || !Number.isSafeInteger(id)) return null;
  const app = await ApplicationModel.findOne({ _id: id }, { name: 1 }).lean();
  return app && { id, name: app.name, at: decision.at.toISOString() };
}
