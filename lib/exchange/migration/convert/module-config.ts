/** `exchange.md` X7. Pure. */
import { longestCertificateBytes } from "@/lib/records/module-config/rules";
import { countLimits, fewestUrlBytes, longestVersionBytes, maxRetries } from "@/lib/records/module-config/schema";
import { clamp, fitText, type Lose, losesOf } from "@/lib/exchange/migration/convert/limits";
import { stampsOf } from "@/lib/exchange/migration/convert/names";
import type { ConversionReport, SdlData, SdlRow } from "@/lib/exchange/migration/convert/tables";
import { groupBy } from "@/lib/vocabulary/order";
import { byteLength } from "@/lib/vocabulary/byte-length";
import { recordOf } from "@/lib/vocabulary/members";
import { defaultRetries, notificationPriorities, type StoredEndpoint, storedEndpoints } from "@/lib/vocabulary/terms";
import { ownPaths } from "@/lib/policy/table/own-endpoints";

/** `seal` turns a private key into its stored form. */
export function convertModuleConfigs(
  data: SdlData,
  seal: (key: string | null) => string | null,
  report: ConversionReport,
) {
  const retriesOf = groupBy(data.module_config_retry_seconds, ({ id }) => id);
  const propertiesOf = groupBy(data.module_config_endpoint_property, (row) => row.module_config_id);
  return data.module_config.map((row) => {
    const what = `module config ${row.id}`;
    const lose = losesOf(report, "module_config", what);
    const count = (name: Exclude<keyof typeof countLimits, "seconds_between_retries" | "notifications">) =>
      clamp(row[name], countLimits[name], lose, name);
    const countsOf = (prefix: string) =>
      Object.fromEntries(
        notificationPriorities.map((name) => [
          name,
          clamp(
            Number(row[`${prefix}${name.toLowerCase()}_notifications`] ?? 0),
            countLimits.notifications,
            lose,
            `${prefix}notifications_per_minute_by_priority.${name}`,
          ),
        ]),
      );
    const { private_key, certificate } = limitCertificate(row, lose);
    return {
      ...stampsOf(row),
      exchangeAfterXIgnitionCycles: count("exchange_after_x_ignition_cycles"),
      exchangeAfterXKilometers: count("exchange_after_x_kilometers"),
      exchangeAfterXDays: count("exchange_after_x_days"),
      timeoutAfterXSeconds: count("timeout_after_x_seconds"),
      secondsBetweenRetries: convertRetries(retriesOf(row.id), losesOf(report, "module_config_retry_seconds", what)),
      lockScreenDismissalEnabled: row.lock_screen_dismissal_enabled,
      ...convertEndpoints(row, lose),
      endpointProperties: convertProperties(
        propertiesOf(row.id),
        losesOf(report, "module_config_endpoint_property", what),
      ),
      notificationsPerMinute: countsOf(""),
      subtleNotificationsPerMinute: countsOf("subtle_"),
      certificate,
      privateKey: seal(private_key),
      expirationTs: certificate === null ? null : row.expiration_ts,
    };
  });
}

function convertRetries(rows: readonly SdlRow<"module_config_retry_seconds">[], lose: Lose) {
  const at = "seconds_between_retries";
  const seconds = rows.toSorted((a, b) => a.order - b.order).map((row) => row.seconds);
  if (seconds.length === 0) {
    lose(`none, and some cars would never ask again: ${defaultRetries.join(", ")} instead`, at);
    return [...defaultRetries];
  }
  if (seconds.length > maxRetries) {
    lose(`head units take at most ${maxRetries}: left out ${seconds.slice(maxRetries).join(", ")}`, at);
  }
  return seconds.slice(0, maxRetries).map((value) => clamp(value, countLimits[at], lose, at));
}

function convertProperties(rows: readonly SdlRow<"module_config_endpoint_property">[], lose: Lose) {
  return rows.flatMap(({ endpoint_name, property_name: name, property_value: value }) => {
    const at = `endpoint_properties.${endpoint_name}`;
    const endpoint = storedEndpoints.find((one) => one === endpoint_name);
    if (endpoint === undefined || name === "") {
      if (endpoint === undefined) lose(`there is no endpoint ${endpoint_name}`, at);
      else lose("the property has no name", `${at}.`);
      return [];
    }
    const isVersion = name === "version";
    const taken = isVersion ? fitText(value, longestVersionBytes, "a version", lose, `${at}.version`) : value;
    return [{ endpoint, name, value: taken }];
  });
}

/** A URL that head units refuse is replaced by this server's own, which follows its settings. */
function convertEndpoints(row: SdlRow<"module_config">, lose: Lose) {
  const given: Readonly<Record<StoredEndpoint, string>> = {
    "0x04": row.endpoint_0x04,
    queryAppsUrl: row.query_apps_url,
    lock_screen_icon_url: row.lock_screen_default_url,
    custom_vehicle_data_mapping_url: row.custom_vehicle_data_mapping_url,
  };
  // All other URLs were chosen by somebody.
  const ownEndpoints: StoredEndpoint[] = [];
  const tooShort = `head units take addresses of at least ${fewestUrlBytes} bytes`;
  const endpoints = recordOf(storedEndpoints, (name) => {
    const path = ownPaths[name];
    if (byteLength(given[name]) >= fewestUrlBytes) return given[name];
    if (path !== undefined) {
      ownEndpoints.push(name);
      lose(`${tooShort}: this server's own instead`, `endpoints.${name}.default`);
      return path;
    }
    // A table may omit this endpoint, together with its properties (`policy-table.md` M5, M6).
    if (given[name] !== "") {
      lose(`${tooShort}: left out`, `endpoints.${name}`);
      lose(`${tooShort}: left out with its properties`, `endpoint_properties.${name}`);
    }
    return "";
  });
  return { endpoints, ownEndpoints };
}

/** Vehicles receive both as one text. */
function limitCertificate({ certificate, private_key }: SdlRow<"module_config">, lose: Lose) {
  if (byteLength(`${certificate ?? ""}\n${private_key ?? ""}`) <= longestCertificateBytes)
    return { certificate, private_key };
  lose(`left out: head units take at most ${longestCertificateBytes} bytes of certificate and key`, "certificate");
  return { certificate: null, private_key: null };
}
