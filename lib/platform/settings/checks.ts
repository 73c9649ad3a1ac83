import { BlockList, isIP, isIPv6 } from "node:net";
import path from "node:path";
import { asksWho, isShortPassword, minPasswordLength } from "@/lib/platform/settings/access-kinds";
import type { VariableName, Variables } from "@/lib/platform/settings/variables";

/** What the rules need to know about the disk; a test gives its own. */
export interface SettingsFiles {
  /** The project root: `customizable/`, relative folders and modules lie below it. */
  readonly root: string;
  /** Whether an absolute path names a file this process can read. */
  readonly readable: (path: string) => boolean;
  /** What an absolute path names as text, null when it cannot be read; not given: nothing can. */
  readonly read?: (path: string) => string | null;
  /** Whether an absolute folder holds files of an embedded database; not given: none does. */
  readonly holdsDatabase?: (folder: string) => boolean;
}

/** A rule over several settings; skipped when one of `of` is unusable by itself, which is reported already. */
interface Check {
  readonly of: readonly VariableName[];
  readonly problem: (values: Variables, files: SettingsFiles) => string | false;
}

/** A check that a setting naming a file inside `folder` names one that can be read. */
function readableIn(folder: string, name: "SSL_CERTIFICATE_FILENAME" | "SSL_PRIVATE_KEY_FILENAME"): Check {
  return {
    of: [name],
    problem: (values, files) => {
      const file = values[name];
      if (file === null || files.readable(path.join(files.root, folder, file))) return false;
      return `${name} names a file that cannot be read in ${folder}`;
    },
  };
}

/** A check that `name` is set whenever `condition` holds; `why` ends the sentence "<name> is required …". */
function required(name: VariableName, on: VariableName, condition: (values: Variables) => boolean, why: string): Check {
  return {
    of: [name, on],
    problem: (values) => condition(values) && values[name] === null && `${name} is required ${why}`,
  };
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

export const isLoopback = (address: string) => loopback.check(address, isIPv6(address) ? "ipv6" : "ipv4");

/** Whether a hostname, as `URL` gives it, leads to this machine. */
export function isOwnMachine(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return host === "localhost" || (isIP(host) !== 0 && isLoopback(host));
}

const asksWhoNames = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_ROLES"] as const;

/** Rules P2, P3 and P6 of `people.md`. */
const accessChecks: readonly Check[] = [
  ...asksWhoNames.map((name) =>
    required(name, "AUTH_TYPE", (values) => values.AUTH_TYPE === "oidc", "with AUTH_TYPE=oidc"),
  ),
  {
    of: ["OIDC_ISSUER"],
    problem: ({ OIDC_ISSUER: issuer }) => {
      if (issuer === null || !issuer.startsWith("http:")) return false;
      return !isOwnMachine(new URL(issuer).hostname) && "OIDC_ISSUER must be an https address, or one of this machine";
    },
  },
  ...(["AUTH_USER_HEADER", "AUTH_ROLES_HEADER"] as const).map((name) => ({
    of: [name, "TRUST_PROXY_ADDRESSES"] as const,
    problem: (values: Variables) =>
      values[name] !== null &&
      values.TRUST_PROXY_ADDRESSES.length === 0 &&
      `${name} must not be set without TRUST_PROXY_ADDRESSES: anybody else could send ` +
        (name === "AUTH_USER_HEADER" ? "a name in it" : "roles in it"),
  })),
  required(
    "AUTH_USER_HEADER",
    "AUTH_ROLES_HEADER",
    (values) => values.AUTH_ROLES_HEADER !== null,
    "with AUTH_ROLES_HEADER",
  ),
  required("OIDC_ROLES", "AUTH_ROLES_HEADER", (values) => values.AUTH_ROLES_HEADER !== null, "with AUTH_ROLES_HEADER"),
  {
    of: ["AUTH_ROLES_HEADER", "AUTH_USER_HEADER"],
    problem: ({ AUTH_ROLES_HEADER: header, AUTH_USER_HEADER: user }) =>
      header !== null && header === user && "AUTH_ROLES_HEADER must differ from AUTH_USER_HEADER",
  },
  {
    of: ["AUTH_USER_HEADER", "AUTH_TYPE", "AUTH_USER_ID_CLAIM"],
    problem: ({ AUTH_USER_HEADER: header, AUTH_TYPE: auth, AUTH_USER_ID_CLAIM: claim }) =>
      header !== null &&
      auth === "oidc" &&
      claim === null &&
      "AUTH_USER_HEADER needs AUTH_USER_ID_CLAIM with AUTH_TYPE=oidc, the claim that holds what the proxy sends: " +
        "otherwise one person could be two",
  },
  {
    of: ["AUTH_ROLES_HEADER", "AUTH_TYPE"],
    problem: ({ AUTH_ROLES_HEADER: header, AUTH_TYPE: auth }) =>
      header !== null &&
      !asksWho(auth) &&
      "AUTH_ROLES_HEADER needs AUTH_TYPE=basic or oidc: otherwise whoever comes past the proxy may do everything",
  },
];

/** Rule P9 of `people.md`. */
const approvalChecks: readonly Check[] = [
  {
    of: ["PUBLISH_APPROVALS", "AUTH_TYPE", "AUTH_ROLES_HEADER"],
    problem: ({ PUBLISH_APPROVALS: count, AUTH_TYPE: auth, AUTH_ROLES_HEADER: header }) =>
      count > 0 &&
      auth !== "oidc" &&
      header === null &&
      "PUBLISH_APPROVALS needs AUTH_TYPE=oidc or AUTH_ROLES_HEADER: without verified people there is no other one",
  },
  {
    of: ["PUBLISH_APPROVALS", "PUBLISH_APPROVALS_APPS"],
    problem: ({ PUBLISH_APPROVALS: count, PUBLISH_APPROVALS_APPS: apps }) =>
      apps && count === 0 && "PUBLISH_APPROVALS_APPS needs PUBLISH_APPROVALS=1",
  },
  {
    of: ["PUBLISH_APPROVALS_APPS", "AUTO_APPROVE_ALL_APPS"],
    problem: ({ PUBLISH_APPROVALS_APPS: apps, AUTO_APPROVE_ALL_APPS: all }) =>
      apps &&
      all &&
      "AUTO_APPROVE_ALL_APPS must not be set with PUBLISH_APPROVALS_APPS: it accepts apps that nobody has approved",
  },
];

/** The configuration errors that only show when settings are seen together (`settings.md` sections 2, 4, 5, 10, 11). */
export const checks: readonly Check[] = [
  {
    of: ["POLICY_SERVER_PORT", "POLICY_SERVER_PORT_SSL"],
    problem: (values) =>
      values.POLICY_SERVER_PORT_SSL === values.POLICY_SERVER_PORT &&
      "POLICY_SERVER_PORT_SSL must differ from POLICY_SERVER_PORT",
  },
  {
    of: ["METRICS_PORT", "POLICY_SERVER_PORT", "POLICY_SERVER_PORT_SSL"],
    problem: ({ METRICS_PORT: port, POLICY_SERVER_PORT: plain, POLICY_SERVER_PORT_SSL: secure }) =>
      port !== null &&
      [plain, secure].includes(port) &&
      "METRICS_PORT must differ from POLICY_SERVER_PORT and POLICY_SERVER_PORT_SSL",
  },
  required(
    "SSL_CERTIFICATE_FILENAME",
    "POLICY_SERVER_PORT_SSL",
    (values) => values.POLICY_SERVER_PORT_SSL !== null || values.SSL_PRIVATE_KEY_FILENAME !== null,
    "with POLICY_SERVER_PORT_SSL and with SSL_PRIVATE_KEY_FILENAME",
  ),
  required(
    "SSL_PRIVATE_KEY_FILENAME",
    "POLICY_SERVER_PORT_SSL",
    (values) => values.POLICY_SERVER_PORT_SSL !== null || values.SSL_CERTIFICATE_FILENAME !== null,
    "with POLICY_SERVER_PORT_SSL and with SSL_CERTIFICATE_FILENAME",
  ),
  readableIn("customizable/ssl", "SSL_CERTIFICATE_FILENAME"),
  readableIn("customizable/ssl", "SSL_PRIVATE_KEY_FILENAME"),
  {
    of: ["LISTEN_ADDRESS", "AUTH_TYPE"],
    problem: ({ LISTEN_ADDRESS: address, AUTH_TYPE: auth }) =>
      auth === null &&
      address !== null &&
      !isLoopback(address) &&
      "LISTEN_ADDRESS must be a loopback address while AUTH_TYPE is not set; " +
        "set AUTH_TYPE=basic, or AUTH_TYPE=none to leave the server open",
  },
  required(
    "SHAID_SECRET_KEY",
    "SHAID_PUBLIC_KEY",
    (values) => values.SHAID_PUBLIC_KEY !== null,
    "with SHAID_PUBLIC_KEY",
  ),
  required(
    "SHAID_PUBLIC_KEY",
    "SHAID_SECRET_KEY",
    (values) => values.SHAID_SECRET_KEY !== null,
    "with SHAID_SECRET_KEY",
  ),
  required("BASIC_AUTH_PASSWORD", "AUTH_TYPE", (values) => values.AUTH_TYPE === "basic", "with AUTH_TYPE=basic"),
  {
    of: ["BASIC_AUTH_PASSWORD", "AUTH_TYPE", "LISTEN_ADDRESS"],
    problem: ({ BASIC_AUTH_PASSWORD: password, AUTH_TYPE: auth, LISTEN_ADDRESS: address }) =>
      password !== null &&
      asksWho(auth) &&
      isShortPassword(password) &&
      (address === null || !isLoopback(address)) &&
      `BASIC_AUTH_PASSWORD must have at least ${minPasswordLength} characters, ` +
        "unless LISTEN_ADDRESS is a loopback address",
  },
  ...accessChecks,
  ...approvalChecks,
  required("BUCKET_NAME", "BUNDLE_HANDLER", (values) => values.BUNDLE_HANDLER === "s3", "with BUNDLE_HANDLER=s3"),
  required("AWS_REGION", "BUNDLE_HANDLER", (values) => values.BUNDLE_HANDLER === "s3", "with BUNDLE_HANDLER=s3"),
  {
    of: ["POLICY_CRYPTO_MODULE"],
    problem: ({ POLICY_CRYPTO_MODULE: module }, { root, readable }) => {
      if (module === null) return false;
      const file = path.resolve(root, module);
      if (!file.startsWith(root + path.sep)) return "POLICY_CRYPTO_MODULE must lie inside the project";
      return !readable(file) && "POLICY_CRYPTO_MODULE names a file that cannot be read";
    },
  },
];
