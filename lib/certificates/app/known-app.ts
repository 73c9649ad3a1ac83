import "server-only";
import type { ClientSession } from "mongoose";
import { ApplicationModel } from "@/models/application";

/** Whether a version of this app is stored; the uuid is compared exactly. */
export async function isKnownApp(uuid: string, session?: ClientSession): Promise<boolean> {
  const found = await ApplicationModel.findOne({ uuid }, { _id: 1 })
    .session(session ?? null)
    .lean();
  return found !== null;
}
