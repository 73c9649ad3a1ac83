import "server-only";
import { log } from "@/lib/platform/log";
import { AppCertificateModel } from "@/models/app-certificate";

/**
 * Has certificates made for apps that have none (rule D13), one after the other: each costs a core for a while. What
 * fails is logged and left to the daily task. Never rejects.
 */
export async function issueFirstCertificates(
  uuids: readonly string[],
  issue: (uuid: string) => Promise<void>,
): Promise<void> {
  try {
    const found = await AppCertificateModel.find({ _id: { $in: [...uuids] } }, { _id: 1 }).lean();
    const having = new Set(found.map(({ _id }) => _id));
    for (const uuid of uuids) if (!having.has(uuid)) await issueOne(uuid, issue);
  } catch (error) {
    log.warn({ err: error }, "apps wait for their certificates until the daily task");
  }
}

async function issueOne(uuid: string, issue: (uuid: string) => Promise<void>): Promise<void> {
  try {
    await issue(uuid);
  } catch (error) {
    log.warn({ uuid, err: error }, "an app waits for its certificate until the daily task");
  }
}
