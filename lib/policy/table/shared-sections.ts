import type { buildFixedEntries } from "@/lib/policy/table/app-policies";
import { buildMessageParts, consumerMessagesVersion } from "@/lib/policy/table/consumer-messages";
import { buildGroupings } from "@/lib/policy/table/functional-groupings";
import { jsonText } from "@/lib/policy/table/json-text";
import { buildModuleConfig, buildRpcPriorities } from "@/lib/policy/table/module-config";
import { olderPriorities, olderRpcs } from "@/lib/policy/table/older-cars";
import type { PolicyOptions, PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { TablePart } from "@/lib/policy/table/table-part";
import { buildVehicleData, type Report } from "@/lib/policy/table/vehicle-data";
import type { Environment } from "@/lib/vocabulary/terms";

/** The kinds of tables: with long app ids, with short ones, or for Core before 5.0 (rule R8), which uses short ones. */
export type Edition = "long" | "short" | "older";

/** The sections that all apps share. */
export interface SharedSections {
  /** Null: the view has none, so no vehicle gets a table. */
  readonly moduleConfig: string | null;
  readonly rpcPriorities: string | null;
  readonly vehicleData: string;
  readonly groupings: readonly TablePart[];
  readonly messagesVersion: string;
  readonly messages: readonly TablePart[];
}

/** RangeError if the messages' version is too great (rule C1). */
export function buildSharedSections(
  snapshot: PolicySnapshot,
  environment: Environment,
  options: PolicyOptions,
  report: Report,
): Readonly<Record<Edition, SharedSections>> {
  const [config] = snapshot.moduleConfigs[environment];
  const view = snapshot.messages[environment];
  const shared = {
    vehicleData: buildVehicleData(snapshot, environment, report),
    messagesVersion: consumerMessagesVersion(view),
    messages: buildMessageParts(view, report),
  };
  const groupings = buildGroupings(snapshot, environment);
  const rpcPriorities = config === undefined ? null : buildRpcPriorities(config);
  const configFor = (isLong: boolean, priorities?: typeof olderPriorities) =>
    config === undefined ? null : buildModuleConfig(config, environment, options, isLong, priorities);
  return {
    long: { ...shared, groupings, rpcPriorities, moduleConfig: configFor(true) },
    short: { ...shared, groupings, rpcPriorities, moduleConfig: configFor(false) },
    older: {
      ...shared,
      groupings: buildGroupings(snapshot, environment, olderRpcs),
      moduleConfig: configFor(false, olderPriorities),
      rpcPriorities: null,
    },
  };
}

/** The start of a table up to its apps: lists to be joined with commas. Editions share the same lists. */
export function openingLists({
  moduleConfig,
  rpcPriorities,
  vehicleData,
  groupings,
  messagesVersion,
  messages,
}: SharedSections): (readonly Pick<TablePart, "text">[])[] {
  const config = moduleConfig === null ? "" : `"module_config":${moduleConfig},`;
  const priorities = rpcPriorities === null ? "" : `"rpc_priority_table":${rpcPriorities},`;
  return [
    [{ text: `{${config}${priorities}"vehicle_data":${vehicleData},"functional_groupings":{` }],
    groupings,
    [{ text: `},"consumer_friendly_messages":{"version":${jsonText(messagesVersion)},"messages":{` }],
    messages,
    [{ text: '}},"app_policies":{' }],
  ];
}

/** The sections and the fixed entries as in a parsed table. Parts of tables keep their identity. */
export function readShared(
  { moduleConfig, rpcPriorities, vehicleData, groupings, messagesVersion, messages }: SharedSections,
  fixed: ReturnType<typeof buildFixedEntries>,
) {
  const parse = (json: string): unknown => JSON.parse(json);
  const membersOf = (parts: readonly TablePart[]) => Object.fromEntries(parts.map(({ member }) => member));
  return {
    ...(moduleConfig !== null && { module_config: parse(moduleConfig) }),
    ...(rpcPriorities !== null && { rpc_priority_table: parse(rpcPriorities) }),
    vehicle_data: parse(vehicleData),
    functional_groupings: membersOf(groupings),
    consumer_friendly_messages: { version: messagesVersion, messages: membersOf(messages) },
    app_policies: Object.fromEntries(Object.entries(fixed).map(([name, json]) => [name, parse(json)])),
  };
}
