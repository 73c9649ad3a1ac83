import { ServiceTypeModel } from "@/models/directory/service-type";
import { ApplicationModel } from "@/models/application";
import { ApplicationFlagsModel } from "@/models/application-flags";
import type { ApprovalStatus } from "@/lib/vocabulary/terms";
import { readRevision } from "@/lib/platform/db/revision";
import { aRequest, readAnswer } from "@/test/support/requests";
import { store, storeAppVersion, storeFlags } from "@/test/support/stored-records";
import type { RouteHandler } from "@/app/_api/api-route";

export function storeApp(uuid: string, status: ApprovalStatus = "PENDING", values: Record<string, unknown> = {}) {
  return store((tx) => storeAppVersion(tx, uuid, status, values));
}

export function setFlags(uuid: string, flags: Record<string, unknown>): Promise<void> {
  return store((tx) => storeFlags(tx, uuid, flags));
}

export function storeServiceType(name: string, permissions: readonly string[]): Promise<void> {
  return store(async (tx) => {
    const type = { _id: await tx.nextId("service_types"), name, displayName: name.toLowerCase(), permissions };
    await ServiceTypeModel.insertMany([type], { session: tx.session });
  });
}

export const findVersion = (id: number) => ApplicationModel.findById(id).lean();
export const findFlags = (uuid: string) => ApplicationFlagsModel.findOne({ uuid }).lean();

export async function send(handler: RouteHandler, body: unknown, method = "POST") {
  const answer = await readAnswer(await handler(aRequest("/api/v1/x", { method, body })));
  return { status: answer.meta.code, message: answer.meta.message, data: answer.data };
}

export async function fetchQuery(handler: RouteHandler, query = "") {
  const answer = await readAnswer(await handler(aRequest(`/api/v1/x${query}`)));
  return { status: answer.meta.code, message: answer.meta.message, data: answer.data };
}

export async function raisesRevision(work: () => Promise<unknown>): Promise<boolean> {
  const before = await readRevision();
  await work();
  return (await readRevision()) !== before;
}
