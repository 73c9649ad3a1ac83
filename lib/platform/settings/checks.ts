import path from "node:path";
import { fileURLToPath } from "node:url";
import { isLoopback, isOwnMachine } from "@/lib/platform/settings/address-kinds";
import { optionsOf } from "@/lib/platform/settings/connection-string";
import { requiresSignIn, integerSetting } from "@/lib/platform/settings/kinds";
import type { VariableName, Variables } from "@/lib/platform/settings/variables";

export interface SettingsFiles {
  /** The project root, which contains `customizable/`, relative folders and modules. */
  readonly root: string;
  /** Of a command, the root of its program, whose `customizable/` it shares with the server. */
  readonly program?: string;
  readonly readable: (path: string) => boolean;
  readonly read?: (path: string) => string | null;
  readonly holdsDatabase?: (folder: string) => boolean;
  readonly isChecked?: boolean;
}

export const minPasswordLength = 12;

const connectionOptions = [
  ["maxPoolSize", 1, 500],
  ["serverSelectionTimeoutMS", 500, 60_000],
] as const;

const tlsFolder = "customizable/ssl";
const tlsNames = [
  ["SSL_CERTIFICATE_FILENAME", "SSL_PRIVATE_KEY_FILENAME"],
  ["SSL_PRIVATE_KEY_FILENAME", "SSL_CERTIFICATE_FILENAME"],
] as const;

/**
 * Errors in combinations of settings (`settings.md` sections 2, 4, 5, 10, 11). A line names every setting that it
 * depends on: it does not count if the value of one of them is an error itself.
 */
export function* findConflicts(set: Variables, files: SettingsFiles): Generator<string> {
  const { root, readable, program = root } = files;
  const { AUTH_TYPE: auth, LISTEN_ADDRESS: address, BASIC_AUTH_PASSWORD: password, MONGODB_URI: uri } = set;
  const { AUTH_USER_HEADER: userHeader, AUTH_ROLES_HEADER: rolesHeader, OIDC_ISSUER: issuer } = set;
  const { POLICY_CRYPTO_MODULE: module, POLICY_SERVER_PORT_SSL: tlsPort, RPC_SPEC_URL: specUrl } = set;
  const isOpen = address === null || !isLoopback(address);
  const need = (reason: string, ...names: readonly VariableName[]) =>
    names.filter((name) => set[name] === null).map((name) => `${name} is required with ${reason}`);

  if (tlsPort === set.POLICY_SERVER_PORT) yield "POLICY_SERVER_PORT_SSL must differ from POLICY_SERVER_PORT";
  for (const [name, other] of tlsNames) {
    const file = set[name];
    if (tlsPort !== null || set[other] !== null) yield* need(`POLICY_SERVER_PORT_SSL and with ${other}`, name);
    if (file !== null && !readable(path.join(program, tlsFolder, file)))
      yield `${name} names a file that cannot be read in ${tlsFolder}`;
  }
  for (const [option, min, max] of connectionOptions) {
    const value = optionsOf(uri ?? "").get(option.toLowerCase());
    if (value !== undefined && !integerSetting(min, max).safeParse(value).success)
      yield `MONGODB_URI: ${option} must be an integer from ${min} to ${max}`;
  }
  if (auth === null && address !== null && isOpen) {
    yield (
      "LISTEN_ADDRESS must be a loopback address while AUTH_TYPE is not set; " +
      "set AUTH_TYPE=basic, or AUTH_TYPE=none to leave the server open"
    );
  }
  if (set.SHAID_PUBLIC_KEY !== null) yield* need("SHAID_PUBLIC_KEY", "SHAID_SECRET_KEY");
  if (set.SHAID_SECRET_KEY !== null) yield* need("SHAID_SECRET_KEY", "SHAID_PUBLIC_KEY");
  if (auth === "basic") yield* need("AUTH_TYPE=basic", "BASIC_AUTH_PASSWORD");
  if (requiresSignIn(auth) && password !== null && password.length < minPasswordLength && isOpen) {
    yield (
      `BASIC_AUTH_PASSWORD must have at least ${minPasswordLength} characters, ` +
      "unless LISTEN_ADDRESS is a loopback address"
    );
  }
  if (specUrl.startsWith("file:") && !readable(fileURLToPath(specUrl)))
    yield "RPC_SPEC_URL names a file that cannot be read";
  if (auth === "oidc")
    yield* need("AUTH_TYPE=oidc", "OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_ROLES");
  if (issuer?.startsWith("http:") === true && !isOwnMachine(new URL(issuer).hostname))
    yield "OIDC_ISSUER must be an https address, or one of this machine";
  if (set.TRUST_PROXY_ADDRESSES.length === 0) {
    const why = "must not be set without TRUST_PROXY_ADDRESSES: anybody else could send";
    if (userHeader !== null) yield `AUTH_USER_HEADER ${why} a name in it`;
    if (rolesHeader !== null) yield `AUTH_ROLES_HEADER ${why} roles in it`;
  }
  if (rolesHeader !== null) {
    yield* need("AUTH_ROLES_HEADER", "AUTH_USER_HEADER", "OIDC_ROLES");
    if (rolesHeader === userHeader) yield "AUTH_ROLES_HEADER must differ from AUTH_USER_HEADER";
  }
  if (userHeader !== null && auth === "oidc" && set.AUTH_USER_ID_CLAIM === null) {
    yield (
      "AUTH_USER_HEADER needs AUTH_USER_ID_CLAIM with AUTH_TYPE=oidc, the claim that holds what the proxy sends: " +
      "otherwise one person could be two"
    );
  }
  if (rolesHeader !== null && !requiresSignIn(auth))
    yield "AUTH_ROLES_HEADER needs AUTH_TYPE=basic or oidc: otherwise anybody who bypasses the proxy may do everything";
  if (set.PUBLISH_APPROVALS !== "none" && auth !== "oidc" && rolesHeader === null)
    yield "PUBLISH_APPROVALS needs AUTH_TYPE=oidc or AUTH_ROLES_HEADER: without verified people there is no other one";
  if (set.PUBLISH_APPROVALS === "all" && set.AUTO_APPROVE_ALL_APPS)
    yield "AUTO_APPROVE_ALL_APPS must not be set with PUBLISH_APPROVALS=all: it accepts apps that nobody has approved";
  if (set.BUNDLE_HANDLER === "s3") yield* need("BUNDLE_HANDLER=s3", "BUCKET_NAME", "AWS_REGION");
  if (module !== null) {
    const file = path.resolve(program, module);
    if (!file.startsWith(program + path.sep)) yield "POLICY_CRYPTO_MODULE must lie inside the project";
    else if (!readable(file)) yield "POLICY_CRYPTO_MODULE names a file that cannot be read";
  }
}
