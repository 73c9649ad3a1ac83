import type { loadAbout } from "@/lib/console/about/queries";

export type About = Awaited<ReturnType<typeof loadAbout>>;

/** `off` is a choice; `attention` is for what should not stay so in production. */
export type FactState = "ok" | "attention" | "off";

export interface ConfigurationFact {
  readonly name: string;
  readonly state: FactState;
  readonly value: string;
  readonly why: string;
  /** The setting that decides it. */
  readonly setting: string;
}

type Wanted = Pick<
  Omit<About, "cache_module"> & { readonly cache_module: string | null },
  | "ssl_port"
  | "cache_module"
  | "auth_type"
  | "auth_user_header"
  | "auto_approve_all_apps"
  | "encryption_required"
  | "notification"
  | "certificate_authority"
  | "is_authority_valid"
  | "module_key_public"
  | "app_certificate_get"
  | "database"
>;

/** The configuration in words: what is on, off, or a risk. `missing`: settings that certificates lack, names only. */
export function listConfiguration(about: Wanted, missing: readonly string[]): readonly ConfigurationFact[] {
  return [
    {
      name: "Password",
      state: about.auth_type === "basic" ? "ok" : "attention",
      value: about.auth_type === "basic" ? "Needed to enter" : "Not needed",
      why:
        about.auth_type === "basic"
          ? "The console and the API require it."
          : "Anyone who can reach this server can change what vehicles receive.",
      setting: "AUTH_TYPE",
    },
    {
      name: "Names of users",
      state: about.auth_user_header === null ? "off" : "ok",
      value: about.auth_user_header === null ? "Self-declared" : `Verified, from ${about.auth_user_header}`,
      why:
        about.auth_user_header === null
          ? "No proxy verifies who makes a change. Names in the audit trail are self-declared."
          : "The proxy in front names who makes a change. It must set this header in every request.",
      setting: "AUTH_USER_HEADER",
    },
    {
      name: "TLS",
      state: about.ssl_port === null ? "attention" : "ok",
      value: about.ssl_port === null ? "Not on this server" : `On, port ${about.ssl_port}`,
      why:
        about.ssl_port === null
          ? "Passwords and tables are sent unencrypted unless a proxy in front encrypts them."
          : "Traffic is encrypted.",
      setting: "POLICY_SERVER_PORT_SSL",
    },
    {
      name: "Database",
      state: about.database === "embedded" ? "attention" : "ok",
      value: about.database === "embedded" ? "Embedded" : "MongoDB",
      why:
        about.database === "embedded"
          ? "For trials only. It has no replicas and is not meant for production."
          : "All data is stored there.",
      setting: "MONGODB_URI",
    },
    {
      name: "Caching",
      state: about.cache_module === null ? "off" : "ok",
      value: about.cache_module ?? "No module",
      why:
        about.cache_module === null
          ? "Not needed. Policy tables are kept in this server’s memory, and the setting is ignored."
          : "Answers are kept ready there.",
      setting: "CACHE_MODULE",
    },
    {
      name: "Automatic approval",
      state: about.auto_approve_all_apps ? "attention" : "off",
      value: about.auto_approve_all_apps ? "Of every app" : "Only apps that have it turned on",
      why: about.auto_approve_all_apps
        ? "New versions reach vehicles without review."
        : "New versions wait for a decision.",
      setting: "AUTO_APPROVE_ALL_APPS",
    },
    {
      name: "RPC encryption",
      state: about.encryption_required ? "ok" : "off",
      value: about.encryption_required ? "Required for automatically approved apps" : "Not required by default",
      why: "You can require it for each version on the app’s page.",
      setting: "ENCRYPTION_REQUIRED",
    },
    { name: "Certificates", ...describeCertificates(about, missing), setting: "CA_PRIVATE_KEY_FILENAME" },
    ...describeExposure(about),
    { name: "E-mail about pending apps", ...describeMail(about), setting: "NOTIFY_APP_REVIEW_FREQUENCY" },
  ];
}

function describeCertificates({ certificate_authority, is_authority_valid }: Wanted, missing: readonly string[]) {
  if (!certificate_authority) {
    const why = `Apps and head units get no certificates. These settings are missing or cannot be read: ${missing.join(", ")}.`;
    return { state: "off", value: "Not made", why } as const;
  }
  if (is_authority_valid !== true) {
    const why = "The authority’s key and certificate do not match, or the passphrase does not open them.";
    return { state: "attention", value: "Cannot be created", why } as const;
  }
  return {
    state: "ok",
    value: "Created and renewed here",
    why: "Certificates are renewed one day before they expire.",
  } as const;
}

/** What certificates protect is worth what keeps it secret. Nothing to say while none are made. */
function describeExposure({
  app_certificate_get: access,
  module_key_public: isKeyPublic,
}: Wanted): ConfigurationFact[] {
  if (access === null) return [];
  return [
    {
      name: "Head unit private key",
      state: isKeyPublic ? "attention" : "ok",
      value: isKeyPublic ? "Plain text in policy tables" : "In a container in policy tables",
      why: isKeyPublic
        ? "Anyone who can reach this server can request a table and read the key."
        : "The passphrase opens it.",
      setting: "MODULE_CONFIG_ENCRYPT_CERT_BUNDLE",
    },
    { name: "Containers of apps", ...containerLabels[access], setting: "APP_CERTIFICATE_GET" },
  ];
}

const containerLabels = {
  public: {
    state: "attention",
    value: "For anyone who asks",
    why: "Apps download their own container, but so can anyone who can reach this server. One passphrase opens them all.",
  },
  admin: { state: "ok", value: "For administrators", why: "Apps cannot download their own container." },
  off: { state: "ok", value: "For nobody", why: "Apps cannot download their own container." },
} as const;

function describeMail({ notification }: Wanted) {
  const { enabled, frequency, to_count: count } = notification.appsPendingReview.email;
  if (enabled) {
    const recipients = `${count} ${count === 1 ? "recipient" : "recipients"}`;
    const value = `As apps arrive (${frequency}), to ${recipients}`;
    return { state: "ok", value, why: "Apps that arrive together share one message." } as const;
  }
  if (frequency === "DISABLED") {
    const why = "Nobody is notified about new versions. This console shows them.";
    return { state: "off", value: `Never (${frequency})`, why } as const;
  }
  const why = "E-mail is on, but a mail server, a sender or a recipient is missing.";
  return { state: "attention", value: `Not sent, though switched on (${frequency})`, why } as const;
}
