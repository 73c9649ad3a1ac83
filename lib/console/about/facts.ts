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
          ? "Console and API ask for it."
          : "Anyone who can reach this server can change what vehicles receive.",
      setting: "AUTH_TYPE",
    },
    {
      name: "Names of users",
      state: about.auth_user_header === null ? "off" : "ok",
      value: about.auth_user_header === null ? "As they give them" : `Verified, from ${about.auth_user_header}`,
      why:
        about.auth_user_header === null
          ? "No proxy says who makes a change; names in the audit trail are self-declared."
          : "The proxy in front says who makes a change. It must replace this header in every request.",
      setting: "AUTH_USER_HEADER",
    },
    {
      name: "TLS",
      state: about.ssl_port === null ? "attention" : "ok",
      value: about.ssl_port === null ? "Not on this server" : `On, port ${about.ssl_port}`,
      why:
        about.ssl_port === null
          ? "Passwords and tables travel unencrypted, unless a proxy in front encrypts them."
          : "What travels is encrypted.",
      setting: "POLICY_SERVER_PORT_SSL",
    },
    {
      name: "Database",
      state: about.database === "embedded" ? "attention" : "ok",
      value: about.database === "embedded" ? "Embedded" : "MongoDB",
      why:
        about.database === "embedded"
          ? "For trying out: it has no replicas and is not for production."
          : "All data live there.",
      setting: "MONGODB_URI",
    },
    {
      name: "Caching",
      state: about.cache_module === null ? "off" : "ok",
      value: about.cache_module ?? "No module",
      why:
        about.cache_module === null
          ? "None is needed: policy tables are kept ready in this server's memory, and the setting is ignored."
          : "Answers are kept ready there.",
      setting: "CACHE_MODULE",
    },
    {
      name: "Automatic approval",
      state: about.auto_approve_all_apps ? "attention" : "off",
      value: about.auto_approve_all_apps ? "Of every app" : "Only of apps that are switched to it",
      why: about.auto_approve_all_apps
        ? "New versions reach vehicles without anybody looking at them."
        : "New versions wait for a decision.",
      setting: "AUTO_APPROVE_ALL_APPS",
    },
    {
      name: "RPC encryption",
      state: about.encryption_required ? "ok" : "off",
      value: about.encryption_required ? "Required of automatically approved apps" : "Not required by default",
      why: "Each version can be set to require it on its own page.",
      setting: "ENCRYPTION_REQUIRED",
    },
    { name: "Certificates", ...describeCertificates(about, missing), setting: "CA_PRIVATE_KEY_FILENAME" },
    ...describeExposure(about),
    { name: "E-mail about pending apps", ...describeMail(about), setting: "NOTIFY_APP_REVIEW_FREQUENCY" },
  ];
}

function describeCertificates({ certificate_authority, is_authority_valid }: Wanted, missing: readonly string[]) {
  if (!certificate_authority) {
    const why = `Apps and head units get no certificates. Not set or not readable: ${missing.join(", ")}.`;
    return { state: "off", value: "Not made", why } as const;
  }
  if (is_authority_valid !== true) {
    const why = "Key and certificate of the authority do not fit together, or do not open with the passphrase.";
    return { state: "attention", value: "Cannot be made", why } as const;
  }
  return {
    state: "ok",
    value: "Made and renewed here",
    why: "One day before a certificate ends it is renewed.",
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
      name: "Private key of head units",
      state: isKeyPublic ? "attention" : "ok",
      value: isKeyPublic ? "Plain text in policy tables" : "In a container in policy tables",
      why: isKeyPublic
        ? "Anyone who can reach this server can ask for a table, and has the key then."
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
    why: "Apps fetch their own; so can everybody who can reach this server. One passphrase opens them all.",
  },
  admin: { state: "ok", value: "For administrators", why: "Apps cannot fetch their own." },
  off: { state: "ok", value: "For nobody", why: "Apps cannot fetch their own." },
} as const;

function describeMail({ notification }: Wanted) {
  const { enabled, frequency, to_count: count } = notification.appsPendingReview.email;
  if (enabled) {
    const recipients = `${count} ${count === 1 ? "recipient" : "recipients"}`;
    const value = `As apps arrive (${frequency}), to ${recipients}`;
    return { state: "ok", value, why: "One message for apps that arrive together." } as const;
  }
  if (frequency === "DISABLED") {
    const why = "Nobody is told about new versions; this console shows them.";
    return { state: "off", value: `Never (${frequency})`, why } as const;
  }
  const why = "It is switched on, but a mail server, a sender or a recipient is missing.";
  return { state: "attention", value: `Not sent, though switched on (${frequency})`, why } as const;
}
