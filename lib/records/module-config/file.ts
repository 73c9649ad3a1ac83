import { z } from "zod";
import { canonical, type FileForm, filledName, membersOf, strict } from "@/lib/records/store/file-form";
import { recordOf, toSnakeMembers } from "@/lib/vocabulary/members";
import { priorityMaps } from "@/lib/vocabulary/rpc-priorities";
import { notificationPriorities, refreshCounts, storedEndpoints } from "@/lib/vocabulary/terms";

const counts = strict(recordOf(notificationPriorities, () => z.int()));
const priorities = (names: readonly string[]) => strict(recordOf(names, () => z.int().optional())).optional();
/** The module config without certificate and key. Files never contain them; importing keeps the stored ones. */
export const moduleConfigItem = strict({
  ...toSnakeMembers(recordOf(refreshCounts, () => z.int())),
  seconds_between_retries: z.array(z.int()),
  endpoints: strict(recordOf(storedEndpoints, () => z.string())),
  endpoint_properties: z
    .array(strict({ endpoint: z.enum(storedEndpoints), name: filledName, value: z.string() }))
    .optional(),
  lock_screen_dismissal_enabled: z.boolean().optional(),
  notifications_per_minute_by_priority: counts,
  subtle_notifications_per_minute_by_priority: counts,
  rpc_priority_table: strict({
    rpc_priority: z.record(z.string(), z.int()).optional(),
    app_priority: priorities(priorityMaps.app_priority),
    hmi_status_priority: priorities(priorityMaps.hmi_status_priority),
  }).optional(),
}).meta({ id: "ExchangeModuleConfig" });
export type ModuleConfigItem = z.output<typeof moduleConfigItem>;

export const moduleConfigFile = {
  member: "module_config",
  place: "module-config.yaml",
  isSingle: true,
  schema: moduleConfigItem,
  keyOf: () => "",
  /** Files contain no secrets, and the end date belongs to the certificate. */
  itemOf: (body) => {
    const { expiration_ts: _end, keep_certificate: _keep, endpoint_properties: properties, ...rest } = membersOf(body);
    const list = Object.entries(membersOf(properties)).flatMap(([endpoint, own]) =>
      Object.entries(membersOf(own)).map(([name, value]) => ({ endpoint, name, value })),
    );
    return canonical({ ...rest, endpoint_properties: list });
  },
  bodyOf: ({ endpoint_properties: list = [], ...rest }) => {
    const own = (endpoint: string) => list.filter((one) => one.endpoint === endpoint);
    const properties = [...new Set(list.map(({ endpoint }) => endpoint))].map((endpoint) => [
      endpoint,
      Object.fromEntries(own(endpoint).map(({ name, value }) => [name, value])),
    ]);
    return { ...rest, endpoint_properties: Object.fromEntries(properties) as unknown, keep_certificate: true };
  },
} as const satisfies FileForm<ModuleConfigItem>;
