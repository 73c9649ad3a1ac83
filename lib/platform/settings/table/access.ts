import { carBuilds, coreVersions } from "@/lib/vocabulary/head-units";
import { roleMap, scopes } from "@/lib/platform/settings/access-kinds";
import { httpUrl } from "@/lib/platform/settings/address-kinds";
import {
  flag,
  headerName,
  integerSetting,
  choiceSetting,
  orNull,
  secret,
  textSetting,
} from "@/lib/platform/settings/kinds";

export const accessSettings = {
  Authentication: {
    AUTH_TYPE: orNull(choiceSetting(["basic", "oidc", "none"])).describe(
      `basic: one password protects console and administration API. oidc: people sign in at your identity provider, see
      docs/sign-in.md. none: open on any address. Not set: open, but only on this machine.`,
    ),
    BASIC_AUTH_PASSWORD: secret(
      orNull(textSetting(1)),
      `The password, required with AUTH_TYPE=basic: 12 characters or more unless LISTEN_ADDRESS is a loopback address.
      With AUTH_TYPE=oidc it is for emergencies; each use gives a warning and an audit event.`,
    ),
    SESSION_SECRET: secret(
      orNull(textSetting(32)),
      `Seals session cookies, at least 32 characters. Not set: generated and kept in DATA_DIR/session-secret. Use the
      same value on all machines. A new value, like a new password, ends every session.`,
    ),
    AUDIT_KEY: secret(
      orNull(textSetting(32)),
      `Seals the audit trail, at least 32 characters. Not set: generated and kept in DATA_DIR/audit-key. Use the same
      value on all machines that share a database, and keep it: with a different key the server does not start.`,
    ),
    ACCEPT_AUDIT_KEY: orNull(textSetting(1)).describe(
      `If the key that has sealed the audit trail is lost, set this to its id, which the refusal to start names. The trail
      is then sealed again as it is, which is an event. Later keys are not given up.`,
    ),
    SESSION_IDLE_MINUTES: integerSetting(5, 720)
      .default(120)
      .describe("Minutes after which an idle session ends, 5 to 720. Every session ends 12 hours after login."),
    AUTH_USER_HEADER: orNull(headerName()).describe(
      `Request header in which a proxy in front names the user it has authenticated, e.g. X-Forwarded-User. Needs
      TRUST_PROXY_ADDRESSES. The name goes into the audit trail as verified; it does not grant access. The proxy must
      replace the header in every request, and names must not contain commas.`,
    ),
    AUTH_ROLES_HEADER: orNull(headerName()).describe(
      `Request header in which the same proxy names the user's groups, separated by semicolons. OIDC_ROLES maps them to
      roles. It grants access. Needs AUTH_TYPE=basic or oidc.`,
    ),
    AUTH_USER_ID_CLAIM: orNull(textSetting(1, 200)).describe(
      `Claim that holds the name the proxy sends, e.g. email. Required if AUTH_USER_HEADER is set with AUTH_TYPE=oidc,
      so that somebody who signs in both ways counts as one person.`,
    ),
    OIDC_ISSUER: orNull(httpUrl()).describe("With AUTH_TYPE=oidc: address of the identity provider (https)."),
    OIDC_CLIENT_ID: orNull(textSetting(1)).describe("This server's client id at the identity provider."),
    OIDC_CLIENT_SECRET: secret(orNull(textSetting(1)), "This server's client secret at the identity provider."),
    OIDC_SCOPES: scopes()
      .default("openid profile email")
      .describe("Scopes to request. Some providers give refresh tokens only with offline_access."),
    OIDC_ROLE_CLAIM: textSetting(1, 200)
      .default("groups")
      .describe("Claim that holds a person's groups. Dots address members of objects, e.g. realm_access.roles"),
    OIDC_ROLES: roleMap().describe(
      "Groups of each role, e.g. viewer=staff;editor=policy-team;publisher=policy-leads;admin=operators",
    ),
  },

  "Head units": {
    HEAD_UNITS: choiceSetting(["both", ...carBuilds])
      .default("both")
      .describe(
        `Builds of the head units in your cars: regular (PROPRIETARY, HTTP), external (EXTERNAL_PROPRIETARY) or both.
        They read an app's groups differently; the console shows and checks what all of them allow.`,
      ),
    OLDEST_HEAD_UNIT: choiceSetting(coreVersions)
      .default("4.5")
      .describe(
        "Oldest SDL Core version in your cars: 4.5, 5.1 (also for 5.0), 6.1, 7.1 or 8.2. Older ones get no warnings.",
      ),
  },

  Approvals: {
    PUBLISH_APPROVALS: choiceSetting(["none", "releases", "all"])
      .default("none")
      .describe(
        `releases: publications and rollbacks wait until another verified person with the role publisher approves them.
        all: so does approving an app for production, which rules out AUTO_APPROVE_ALL_APPS. Blocking an app never waits.
        Needs AUTH_TYPE=oidc or AUTH_ROLES_HEADER.`,
      ),
    AUTO_APPROVE_ALL_APPS: flag(false).describe(
      "Approve every new app version from the directory, except for blocked apps.",
    ),
    ENCRYPTION_REQUIRED: flag(false).describe("Require RPC encryption for automatically approved versions."),
  },
} as const;
