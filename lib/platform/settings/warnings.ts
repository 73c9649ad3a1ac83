import { asksWho, isShortPassword, minPasswordLength } from "@/lib/platform/settings/access-kinds";
import { buildUsableConnection } from "@/lib/platform/settings/connection-string";
import type { Environment } from "@/lib/platform/settings/environment";
import { announcesPlainHttp, phonesAskByHttps } from "@/lib/labels/phones";
import type { Variables } from "@/lib/platform/settings/variables";

const postgres = (prefix: string) =>
  ["USER", "PASSWORD", "HOST", "PORT", "DATABASE"].map((part) => `${prefix}_${part}`);

/** The settings by which another policy server finds its database. */
export const foreignDatabaseNames: readonly string[] = postgres("DB");

/** Settings of older servers that mean nothing here (`settings.md` sections 9 and 12): one line for each family set. */
const obsolete: readonly { readonly names: readonly string[]; readonly now: string }[] = [
  {
    names: foreignDatabaseNames,
    now: "this server stores its data in MongoDB: set MONGODB_URI. They are not turned into one",
  },
  { names: postgres("STAGING_PG"), now: "ignored" },
  { names: postgres("PRODUCTION_PG"), now: "ignored" },
  { names: postgres("TEST_PG"), now: "ignored; tests use their own database" },
  {
    names: ["CACHE_MODULE", "CACHE_HOST", "CACHE_PORT", "CACHE_PASSWORD"],
    now: "ignored; compiled policies live in memory and there is no cache to configure",
  },
  { names: ["LOG_MODULE"], now: "ignored; log lines are JSON on the standard output, see LOG_LEVEL" },
  { names: ["RUN_STATE", "OVERRIDE_ENTRY_POINT", "VUE_APP_AUTH_TYPE"], now: "ignored" },
];

/** Lines about obsolete settings. They name the settings, never their values. */
export function buildObsoleteWarnings(env: Environment): string[] {
  return obsolete.flatMap(({ names, now }) => {
    const found = names.filter((name) => name in env);
    return found.length > 0 ? [`${found.join(", ")}: no longer applicable; ${now}`] : [];
  });
}

/** Warns about a plain-http address for vehicles (`phones.md` Q6); `isSet`: by the setting. */
export function buildAddressWarnings(publicBaseUrl: string, isSet: boolean): string[] {
  if (!announcesPlainHttp(publicBaseUrl)) return [];
  const what = isSet ? "PUBLIC_BASE_URL begins" : "Without PUBLIC_BASE_URL the address that vehicles are told begins";
  return [`${what} with http://. ${phonesAskByHttps}`];
}

/** Lines about usable but unwise values. */
export function buildAdviceWarnings(values: Variables): string[] {
  const warnings: string[] = [];
  if (values.AUTH_TYPE === "none") {
    warnings.push("AUTH_TYPE=none: the console and the whole API are open to everyone who can reach this server");
  }
  const { AUTH_TYPE: auth, BASIC_AUTH_PASSWORD: password } = values;
  if (asksWho(auth) && password !== null && isShortPassword(password)) {
    warnings.push(`BASIC_AUTH_PASSWORD is short; use ${minPasswordLength} characters or more`);
  }
  if (values.AUTH_USER_ID_CLAIM !== null && (auth !== "oidc" || values.AUTH_USER_HEADER === null)) {
    warnings.push("AUTH_USER_ID_CLAIM has no effect without AUTH_TYPE=oidc and AUTH_USER_HEADER");
  }
  if (values.BUNDLE_HANDLER !== "s3" && values.BUCKET_NAME !== null) {
    warnings.push(
      "BUCKET_NAME has no effect while BUNDLE_HANDLER is not s3: packages of apps are not kept in the bucket",
    );
  }
  if (values.BACKUP_DIR !== null && values.MONGODB_URI !== null) {
    warnings.push("BACKUP_DIR has no effect with MONGODB_URI: use the tools of MongoDB, or open-policy backup");
  }
  const { dropped } = buildUsableConnection(values.MONGODB_URI ?? "");
  if (dropped.length > 0) {
    const names = dropped.join(", ");
    warnings.push(`MONGODB_URI: ${names} not used; this server reads from the primary and confirms every write`);
  }
  if (values.TRUST_PROXY > 0 && values.TRUST_PROXY_ADDRESSES.length === 0) {
    warnings.push(
      "TRUST_PROXY without TRUST_PROXY_ADDRESSES: whoever reaches this server's port is believed like a proxy; " +
        "set the addresses of the proxies",
    );
  }
  if (values.PRIVATE_KEY_BITSIZE < 2048) warnings.push("PRIVATE_KEY_BITSIZE is weak; use 2048 or more");
  return warnings;
}
