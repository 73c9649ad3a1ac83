export const uuidOf = (index: number) => `${String(index).padStart(8, "0")}-0000-4000-8000-000000000000`;
const uuidIn = (index: string) => `lpad((${index})::text, 8, '0') || '-0000-4000-8000-000000000000'`;

/** `rows`: a query of `(id, app, version_id, approval_status)`. */
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
