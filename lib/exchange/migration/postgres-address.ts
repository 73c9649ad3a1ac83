/** `exchange.md` X6d. */

export interface PostgresAddress {
  /** For the driver; may contain the password. */
  readonly url: string;
  /** For messages: host and port, or the folder of a socket. */
  readonly server: string;
  readonly database: string;
  readonly user: string;
  readonly isPasswordInUrl: boolean;
}

/** `password` is used if the URL has none. Null if invalid; no message may quote it: it may contain the password. */
export function readPostgresAddress(text: string, password: string | undefined): PostgresAddress | null {
  // An invalid percent escape would fail later, with a message of the driver.
  if (!/^postgres(?:ql)?:\/\//.test(text) || /%(?![\da-f]{2})/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isPasswordInUrl = url.password !== "" || url.searchParams.has("password");
  // As a parameter, because a URL without a host cannot have a password in the usual place.
  if (password !== undefined && !isPasswordInUrl) url.searchParams.set("password", password);
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname);
  const server = `${host === "" ? "localhost" : host}:${url.searchParams.get("port") ?? (url.port || "5432")}`;
  return {
    url: url.href,
    server: host.startsWith("/") ? host : server,
    database: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(url.username),
    isPasswordInUrl,
  };
}

const howPassword = "give it in PGPASSWORD, or in a file with --postgres-password-file";
type Sentence = (address: PostgresAddress, message: string) => string;
const ofUser = ({ user }: PostgresAddress) => (user === "" ? "" : ` of the user ${user}`);

/** By error codes of PostgreSQL, Node and TLS. */
const sentences: Readonly<Record<string, Sentence>> = {
  ECONNREFUSED: ({ server }) =>
    `Nothing answers at ${server}: start PostgreSQL, or correct host and port in --postgres (DB_HOST, DB_PORT of the other server)`,
  ENOENT: ({ server }) => `There is no socket of PostgreSQL in ${server}: start it, or correct --postgres`,
  ENOTFOUND: ({ server }) =>
    `The host of ${server} is not known: correct it in --postgres (DB_HOST of the other server)`,
  EAI_AGAIN: ({ server }) => `The host of ${server} cannot be looked up at the moment: try again`,
  ETIMEDOUT: ({ server }) => `${server} does not answer: look at the address and at firewalls in between`,
  ECONNRESET: ({ server }) => `${server} ended the connection: try again; nothing was changed there`,
  "28P01": (address) => `PostgreSQL at ${address.server} refuses the password${ofUser(address)}: ${howPassword}`,
  "28000": (address, message) =>
    `PostgreSQL at ${address.server} does not let this user in: ${message}. Correct the user in --postgres (DB_USER of the other server)`,
  "3D000": ({ server, database }) =>
    `There is no database ${database} at ${server}: correct the name at the end of --postgres (DB_DATABASE of the other server)`,
  "42501": (address, message) =>
    `The user${address.user === "" ? "" : ` ${address.user}`} may not read the other server's tables: ${message}. Take the user of DB_USER`,
  "57P03": ({ server }) => `PostgreSQL at ${server} is starting: try again in a moment`,
  "57P01": ({ server }) => `PostgreSQL at ${server} was stopped meanwhile: start it and try again`,
  "53300": ({ server }) => `PostgreSQL at ${server} has no connection left: stop something that uses it, and try again`,
};

/** The sentence never contains the password. */
export function describePostgresError(error: unknown, address: PostgresAddress): Error {
  const { code, message } = detailsOf(error);
  const known = sentences[code];
  if (known !== undefined) return new Error(known(address, message));
  if (/password must be a(?: non-empty)? string/.test(message)) {
    return new Error(`PostgreSQL at ${address.server} asks for a password${ofUser(address)}: ${howPassword}`);
  }
  if (/timeout/.test(message)) return new Error(sentences.ETIMEDOUT?.(address, message) ?? message);
  if (/certificate|SSL/i.test(message)) {
    return new Error(
      `No encrypted connection to ${address.server}: ${message}. --postgres takes sslmode and sslrootcert, such as ?sslmode=verify-full&sslrootcert=ca.pem`,
    );
  }
  return new Error(`The database ${address.database} at ${address.server} cannot be read: ${message}`);
}

/** An attempt at several addresses of a host has the code of the first. */
function detailsOf(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof Error)) return { code: "", message: "unknown reason" };
  return { code: "code" in error ? String(error.code) : "", message: error.message };
}
