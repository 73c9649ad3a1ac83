import type { ClientSession } from "mongoose";
import { CounterModel, type CounterRecord } from "@/models/database/counter";

export const counterNames = [
  "functional_groups",
  "consumer_messages",
  "message_texts",
  "module_configs",
  "custom_vehicle_data",
  "applications",
  "application_flags",
  "permissions",
  "languages",
  "service_types",
  "rpc_specifications",
  "audit_events",
  "missed_removals",
  "access_tokens",
  "releases",
  "scheduled_releases",
  "approval_requests",
  "rollouts",
] as const;
export type CounterName = (typeof counterNames)[number];

/** Allots the next `count` integers of a counter (rule B3). If a transaction rolls back, its ids were never visible. */
export async function allotIds(session: ClientSession, counter: CounterName, count: number): Promise<number[]> {
  if (count === 0) return [];
  const first = (await allotCounter(session, counter, count)).value - count + 1;
  return Array.from({ length: count }, (_, index) => first + index);
}

export async function allotCounter(
  session: ClientSession,
  counter: CounterName,
  count: number,
): Promise<CounterRecord> {
  return CounterModel.findOneAndUpdate(
    { _id: counter },
    { $inc: { value: count } },
    { session, upsert: true, returnDocument: "after" },
  ).lean();
}
