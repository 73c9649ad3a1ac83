/** The rows of an sdl_server after its first start, and SQL that turns it into an old or a large installation. */
import { readSeed } from "@/lib/exchange/seed/files";
import { buildGroups } from "@/lib/exchange/seed/rules";
import { seedFiles } from "@/lib/exchange/seed/schema";
import { groupFlags } from "@/lib/labels/group-flags";
import { recordOf, toSnakeMembers } from "@/lib/labels/members";
import { type Rows, timeOf } from "./rows";

const stamps = { created_ts: timeOf(0), updated_ts: timeOf(0) };
const production = { status: "PRODUCTION", ...stamps };

/** A language code in the default data that no head unit knows. */
const oddLanguage = "es-en";

/** Groups, messages and the module config of its default data, all in production; no apps. */
export async function defaultInstallation(): Promise<Rows> {
  const groups = buildGroups(await readSeed(process.cwd(), seedFiles.functionalGroups));
  const { categories } = await readSeed(process.cwd(), seedFiles.consumerMessages);
  const texts = categories.flatMap(({ languages }, index) =>
    Object.entries({ ...languages, [oddLanguage]: { tts: "¿Puede?" } }).map(
      ([language_id, { textBody, ...text }]: any) => {
        const none = { tts: null, line1: null, line2: null, label: null };
        return { ...none, ...text, text_body: textBody ?? null, language_id, message_group_id: index + 1 };
      },
    ),
  );
  const rpcs = groups.flatMap((group, index) => group.rpcs.map((rpc) => ({ ...rpc, function_group_id: index + 1 })));
  return {
    hmi_levels: ["FULL", "LIMITED", "BACKGROUND", "NONE"].map((level) => ({ id: `HMI_${level}` })),
    languages: [...new Set(texts.map(({ language_id }) => language_id))].map((id) => ({ id })),
    categories: [{ id: 1, display_name: "Media", name: "MEDIA" }],
    function_group_info: groups.map((group, index) => ({
      ...{ id: index + 1, ...production, property_name: group.name, description: group.description },
      ...{ user_consent_prompt: group.userConsentPrompt, is_deleted: false },
      ...toSnakeMembers(recordOf(groupFlags, (flag) => group[flag])),
    })),
    function_group_hmi_levels: rpcs.flatMap(({ function_group_id, name, levels }) =>
      levels.map((hmi_level) => ({ function_group_id, permission_name: name, hmi_level })),
    ),
    function_group_parameters: rpcs.flatMap(({ function_group_id, name, parameters }) =>
      parameters.map((parameter) => ({ function_group_id, rpc_name: name, parameter })),
    ),
    message_group: categories.map(({ name }, index) => {
      return { id: index + 1, ...production, message_category: name, is_deleted: false };
    }),
    message_text: texts.map((text, index) => ({ id: index + 1, ...text })),
    ...moduleConfig,
  };
}

const counts = Object.fromEntries(
  ["emergency", "navigation", "projection", "voicecom", "communication", "normal", "none"].flatMap((name) => [
    [`${name}_notifications`, 15],
    [`subtle_${name}_notifications`, 15],
  ]),
);
const moduleConfig: Rows = {
  module_config: [
    {
      ...{ id: 1, ...production, ...counts, preloaded_pt: false, timeout_after_x_seconds: 60 },
      ...{ exchange_after_x_ignition_cycles: 100, exchange_after_x_kilometers: 1800, exchange_after_x_days: 30 },
      endpoint_0x04: "http://localhost:3000/api/v1/softwareUpdate",
      query_apps_url: "http://localhost:3000/api/v1/queryApps",
      lock_screen_default_url: "https://i.example.com/lock.png",
      custom_vehicle_data_mapping_url: "http://localhost:3000/api/v1/vehicleDataMap",
      ...{ lock_screen_dismissal_enabled: true, private_key: null, certificate: null, expiration_ts: null },
    },
  ],
  module_config_retry_seconds: [1, 5, 25, 125, 625].map((seconds, order) => ({ id: 1, seconds, order })),
};

/** The uuid of an app of `manyVersions`. */
export const uuidOf = (index: number) => `${String(index).padStart(8, "0")}-0000-4000-8000-000000000000`;
const uuidIn = (index: string) => `lpad((${index})::text, 8, '0') || '-0000-4000-8000-000000000000'`;

/**
 * SQL for versions of apps, one row each: `id`, number of the app, `version_id` and decision.
 *
 * @param rows a query of `(id, app, version_id, approval_status)`
 */
export const versionsOf = (rows: string) => `
  INSERT INTO app_info (id, app_uuid, name, platform, status, can_background_alert, can_steal_focus, default_hmi_level,
    created_ts, updated_ts, category_id, approval_status, app_short_uuid, version_id, vendor_name, vendor_email,
    encryption_required)
  SELECT id, ${uuidIn("app")}, 'App ' || app, 'ANDROID', 'PRODUCTION', false, false, 'HMI_NONE', '2024-01-01', '2024-01-01', 1,
    approval_status::approval_status, lpad(app::text, 10, '0'), version_id, 'Vendor', 'v@example.com', false
  FROM (${rows}) AS made (id, app, version_id, approval_status);
  INSERT INTO app_categories SELECT id, 1 FROM app_info;
  INSERT INTO display_names SELECT id, name || ' of row ' || id FROM app_info;
  INSERT INTO app_permissions SELECT app_info.id, rpc.name, 'HMI_FULL' FROM app_info,
    (VALUES ('Show'), ('Alert'), ('AddCommand'), ('Speak'), ('SendLocation'), ('DialNumber'), ('gps'), ('speed'),
      ('GetVehicleData'), ('OnVehicleData')) AS rpc (name);`;

/** SQL for this many apps with three versions each: two accepted ones, and one that waits for a decision. */
export const manyApps = (count: number) =>
  versionsOf(`
    SELECT row_number() OVER (ORDER BY version, app)::int, app, app * 10 + version,
      CASE version WHEN 3 THEN 'PENDING' ELSE 'ACCEPTED' END
    FROM generate_series(1, ${count}) AS app, generate_series(1, 3) AS version`);
