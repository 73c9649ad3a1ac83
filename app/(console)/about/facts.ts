import type { loadAbout } from "@/app/(console)/about/queries";

export type About = Awaited<ReturnType<typeof loadAbout>>;

/** `off`: a valid choice; `attention`: should change before production use. */
export type FactState = "ok" | "attention" | "off";

export interface ConfigurationFact {
  readonly name: string;
  readonly state: FactState;
  readonly value: string;
  readonly why: string;
  readonly setting: string;
}

type Wanted = Pick<
  About,
  | "ssl_port"
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

type Words = readonly [state: FactState, value: string, why: string];

const fact = (name: string, setting: string, [state, value, why]: Words): ConfigurationFact => {
  return { name, state, value, why, setting };
};

/** `missing`: names of the settings that certificates lack. */
export function listConfiguration(about: Wanted, missing: readonly string[]): readonly ConfigurationFact[] {
  const { auth_user_header: header, ssl_port: port } = about;
  return [
    fact("Password", "AUTH_TYPE", passwordWords(about.auth_type)),
    fact(
      "Names of users",
      "AUTH_USER_HEADER",
      header === null
        ? ["off", "Self-declared", "No proxy verifies who makes a change. Names in the audit trail are self-declared."]
        : [
            "ok",
            `Verified, from ${header}`,
            "The proxy in front names who makes a change. It must set this header in every request.",
          ],
    ),
    fact(
      "TLS",
      "POLICY_SERVER_PORT_SSL",
      port === null
        ? [
            "attention",
            "Not on this server",
            "Passwords and tables are sent unencrypted unless a proxy in front encrypts them.",
          ]
        : ["ok", `On, port ${port}`, "Traffic is encrypted."],
    ),
    fact(
      "Database",
      "MONGODB_URI",
      about.database === "embedded"
        ? ["attention", "Embedded", "For trials only. It has no replicas and is not meant for production."]
        : ["ok", "MongoDB", "All data is stored there."],
    ),
    fact("Caching", "CACHE_MODULE", [
      "off",
      "No module",
      "Not needed. Policy tables are kept in this server’s memory, and the setting is ignored.",
    ]),
    fact(
      "Automatic approval",
      "AUTO_APPROVE_ALL_APPS",
      about.auto_approve_all_apps
        ? ["attention", "Of every app", "New versions reach vehicles without review."]
        : ["off", "Only apps that have it turned on", "New versions wait for a decision."],
    ),
    fact("RPC encryption", "ENCRYPTION_REQUIRED", [
      about.encryption_required ? "ok" : "off",
      about.encryption_required ? "Required for automatically approved apps" : "Not required by default",
      "You can require it for each version on the app’s page.",
    ]),
    fact("Certificates", "CA_PRIVATE_KEY_FILENAME", certificateWords(about, missing)),
    ...describeExposure(about),
    fact("E-mail about pending apps", "NOTIFY_APP_REVIEW_FREQUENCY", mailWords(about)),
  ];
}

function passwordWords(authType: Wanted["auth_type"]): Words {
  if (authType === "basic") return ["ok", "Required", "The console and the API require it."];
  if (authType === "oidc") return ["ok", "Not needed", "People sign in at the identity provider."];
  return ["attention", "Not needed", "Anyone who can reach this server can change what vehicles receive."];
}

function certificateWords({ certificate_authority, is_authority_valid }: Wanted, missing: readonly string[]): Words {
  if (!certificate_authority) {
    const why = `Apps and head units get no certificates. These settings are missing or cannot be read: ${missing.join(", ")}.`;
    return ["off", "Not issued", why];
  }
  return is_authority_valid === true
    ? ["ok", "Created and renewed here", "Certificates are renewed before they expire."]
    : [
        "attention",
        "Cannot be created",
        "The authority’s key and certificate do not match, or the passphrase does not open them.",
      ];
}

/** Empty while no certificates are issued. */
function describeExposure({ app_certificate_get: access, module_key_public: isKeyPublic }: Wanted) {
  if (access === null) return [];
  return [
    fact(
      "Head unit private key",
      "MODULE_CONFIG_ENCRYPT_CERT_BUNDLE",
      isKeyPublic
        ? [
            "attention",
            "Plain text in policy tables",
            "Anyone who can reach this server can request a table and read the key.",
          ]
        : ["ok", "In a container in policy tables", "The passphrase opens it."],
    ),
    fact("Containers of apps", "APP_CERTIFICATE_GET", containerWords[access]),
  ];
}

const containerWords: Readonly<Record<NonNullable<Wanted["app_certificate_get"]>, Words>> = {
  public: [
    "attention",
    "For anyone who asks",
    "Apps download their own container, but so can anyone who can reach this server. One passphrase opens them all.",
  ],
  admin: ["ok", "For administrators", "Apps cannot download their own container."],
  off: ["ok", "For nobody", "Apps cannot download their own container."],
};

function mailWords({ notification }: Wanted): Words {
  const { enabled, frequency, to_count: count } = notification.appsPendingReview.email;
  if (enabled) {
    const recipients = `${count} ${count === 1 ? "recipient" : "recipients"}`;
    return ["ok", `As apps arrive (${frequency}), to ${recipients}`, "Apps that arrive together share one message."];
  }
  return frequency === "DISABLED"
    ? ["off", `Never (${frequency})`, "Nobody is notified about new versions. This console shows them."]
    : [
        "attention",
        `Not sent, though switched on (${frequency})`,
        "E-mail is on, but a mail server, a sender or a recipient is missing.",
      ];
}
