import { BlockList, isIP, isIPv6 } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { optionsOf } from "@/lib/platform/settings/connection-string";
import { integerSetting } from "@/lib/platform/settings/kinds";
import { asksWho, isShortPassword, minPasswordLength } from "@/lib/platform/settings/access-kinds";
import type { VariableName, Variables } from "@/lib/platform/settings/variables";

export interface SettingsFiles {
  /** The project root, which contains `customizable/`, relative folders and modules. */
  readonly root: string;
  readonly readable: (path: string) => boolean;
  readonly read?: (path: string) => string | null;
  readonly holdsDatabase?: (folder: string) => boolean;
  readonly isChecked?: boolean;
}

interface Check {
  readonly of: readonly VariableName[];
  readonly isBroken: (values: Variables, files: SettingsFiles) => boolean;
  readonly problem: string;
}

function required(name: VariableName, on: VariableName, why: string, condition: (values: Variables) => boolean): Check {
  return {
    of: [name, on],
    isBroken: (values) => condition(values) && values[name] === null,
    problem: `${name} is required ${why}`,
  };
}

function requiredWith(names: readonly VariableName[], on: VariableName, value?: string): readonly Check[] {
  return names.map((name) =>
    required(name, on, `with ${on}${value === undefined ? "" : `=${value}`}`, (values) =>
      value === undefined ? values[on] !== null : values[on] === value,
    ),
  );
}

function connectionCheck(option: string, min: number, max: number): Check {
  return {
    of: ["MONGODB_URI"],
    isBroken: ({ MONGODB_URI: uri }) => {
      const value = optionsOf(uri ?? "").get(option.toLowerCase());
      return value !== undefined && !integerSetting(min, max).safeParse(value).success;
    },
    problem: `MONGODB_URI: ${option} must be an integer from ${min} to ${max}`,
  };
}

const tlsFolder = "customizable/ssl";
const tlsNames = ["SSL_CERTIFICATE_FILENAME", "SSL_PRIVATE_KEY_FILENAME"] as const;

const tlsChecks = tlsNames.flatMap((name): readonly Check[] => {
  const other = name === tlsNames[0] ? tlsNames[1] : tlsNames[0];
  return [
    required(
      name,
      "POLICY_SERVER_PORT_SSL",
      `with POLICY_SERVER_PORT_SSL and with ${other}`,
      (values) => values.POLICY_SERVER_PORT_SSL !== null || values[other] !== null,
    ),
    {
      of: [name],
      isBroken: ({ [name]: file }, { root, readable }) => file !== null && !readable(path.join(root, tlsFolder, file)),
      problem: `${name} names a file that cannot be read in ${tlsFolder}`,
    },
  ];
});

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

export const isLoopback = (address: string) => loopback.check(address, isIPv6(address) ? "ipv6" : "ipv4");

export function isOwnMachine(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return host === "localhost" || (isIP(host) !== 0 && isLoopback(host));
}

const accessChecks: readonly Check[] = [
  ...requiredWith(["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_ROLES"], "AUTH_TYPE", "oidc"),
  {
    of: ["OIDC_ISSUER"],
    isBroken: ({ OIDC_ISSUER: issuer }) =>
      issuer !== null && issuer.startsWith("http:") && !isOwnMachine(new URL(issuer).hostname),
    problem: "OIDC_ISSUER must be an https address, or one of this machine",
  },
  ...(["AUTH_USER_HEADER", "AUTH_ROLES_HEADER"] as const).map((name) => ({
    of: [name, "TRUST_PROXY_ADDRESSES"] as const,
    isBroken: (values: Variables) => values[name] !== null && values.TRUST_PROXY_ADDRESSES.length === 0,
    problem:
      `${name} must not be set without TRUST_PROXY_ADDRESSES: anybody else could send ` +
      (name === "AUTH_USER_HEADER" ? "a name in it" : "roles in it"),
  })),
  ...requiredWith(["AUTH_USER_HEADER", "OIDC_ROLES"], "AUTH_ROLES_HEADER"),
  {
    of: ["AUTH_ROLES_HEADER", "AUTH_USER_HEADER"],
    isBroken: ({ AUTH_ROLES_HEADER: header, AUTH_USER_HEADER: user }) => header !== null && header === user,
    problem: "AUTH_ROLES_HEADER must differ from AUTH_USER_HEADER",
  },
  {
    of: ["AUTH_USER_HEADER", "AUTH_TYPE", "AUTH_USER_ID_CLAIM"],
    isBroken: ({ AUTH_USER_HEADER: header, AUTH_TYPE: auth, AUTH_USER_ID_CLAIM: claim }) =>
      header !== null && auth === "oidc" && claim === null,
    problem:
      "AUTH_USER_HEADER needs AUTH_USER_ID_CLAIM with AUTH_TYPE=oidc, the claim that holds what the proxy sends: " +
      "otherwise one person could be two",
  },
  {
    of: ["AUTH_ROLES_HEADER", "AUTH_TYPE"],
    isBroken: ({ AUTH_ROLES_HEADER: header, AUTH_TYPE: auth }) => header !== null && !asksWho(auth),
    problem:
      "AUTH_ROLES_HEADER needs AUTH_TYPE=basic or oidc: otherwise anybody who bypasses the proxy may do everything",
  },
  {
    of: ["PUBLISH_APPROVALS", "AUTH_TYPE", "AUTH_ROLES_HEADER"],
    isBroken: ({ PUBLISH_APPROVALS: what, AUTH_TYPE: auth, AUTH_ROLES_HEADER: header }) =>
      what !== "none" && auth !== "oidc" && header === null,
    problem:
      "PUBLISH_APPROVALS needs AUTH_TYPE=oidc or AUTH_ROLES_HEADER: without verified people there is no other one",
  },
  {
    of: ["PUBLISH_APPROVALS", "AUTO_APPROVE_ALL_APPS"],
    isBroken: ({ PUBLISH_APPROVALS: what, AUTO_APPROVE_ALL_APPS: all }) => what === "all" && all,
    problem:
      "AUTO_APPROVE_ALL_APPS must not be set with PUBLISH_APPROVALS=all: it accepts apps that nobody has approved",
  },
];

const isOutside = ({ root }: SettingsFiles, module: string) => !path.resolve(root, module).startsWith(root + path.sep);

/** Errors in combinations of settings (`settings.md` sections 2, 4, 5, 10, 11). */
export const checks: readonly Check[] = [
  {
    of: ["POLICY_SERVER_PORT", "POLICY_SERVER_PORT_SSL"],
    isBroken: (values) => values.POLICY_SERVER_PORT_SSL === values.POLICY_SERVER_PORT,
    problem: "POLICY_SERVER_PORT_SSL must differ from POLICY_SERVER_PORT",
  },
  ...tlsChecks,
  connectionCheck("maxPoolSize", 1, 500),
  connectionCheck("serverSelectionTimeoutMS", 500, 60_000),
  {
    of: ["LISTEN_ADDRESS", "AUTH_TYPE"],
    isBroken: ({ LISTEN_ADDRESS: address, AUTH_TYPE: auth }) =>
      auth === null && address !== null && !isLoopback(address),
    problem:
      "LISTEN_ADDRESS must be a loopback address while AUTH_TYPE is not set; " +
      "set AUTH_TYPE=basic, or AUTH_TYPE=none to leave the server open",
  },
  ...requiredWith(["SHAID_SECRET_KEY"], "SHAID_PUBLIC_KEY"),
  ...requiredWith(["SHAID_PUBLIC_KEY"], "SHAID_SECRET_KEY"),
  ...requiredWith(["BASIC_AUTH_PASSWORD"], "AUTH_TYPE", "basic"),
  {
    of: ["BASIC_AUTH_PASSWORD", "AUTH_TYPE", "LISTEN_ADDRESS"],
    isBroken: ({ BASIC_AUTH_PASSWORD: password, AUTH_TYPE: auth, LISTEN_ADDRESS: address }) =>
      password !== null && asksWho(auth) && isShortPassword(password) && (address === null || !isLoopback(address)),
    problem:
      `BASIC_AUTH_PASSWORD must have at least ${minPasswordLength} characters, ` +
      "unless LISTEN_ADDRESS is a loopback address",
  },
  {
    of: ["RPC_SPEC_URL"],
    isBroken: ({ RPC_SPEC_URL: url }, { readable }) => url.startsWith("file:") && !readable(fileURLToPath(url)),
    problem: "RPC_SPEC_URL names a file that cannot be read",
  },
  ...accessChecks,
  ...requiredWith(["BUCKET_NAME", "AWS_REGION"], "BUNDLE_HANDLER", "s3"),
  {
    of: ["POLICY_CRYPTO_MODULE"],
    isBroken: ({ POLICY_CRYPTO_MODULE: module }, files) => module !== null && isOutside(files, module),
    problem: "POLICY_CRYPTO_MODULE must lie inside the project",
  },
  {
    of: ["POLICY_CRYPTO_MODULE"],
    isBroken: ({ POLICY_CRYPTO_MODULE: module }, files) =>
      module !== null && !isOutside(files, module) && !files.readable(path.resolve(files.root, module)),
    problem: "POLICY_CRYPTO_MODULE names a file that cannot be read",
  },
];
