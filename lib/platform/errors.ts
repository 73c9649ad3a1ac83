"one per process";

const kinds = {
  invalid: { status: 400, message: "Invalid request" },
  unauthorized: { status: 401, message: "Password missing or wrong" },
  forbidden: { status: 403, message: "Request refused" },
  notFound: { status: 404, message: "Not found" },
  methodNotAllowed: { status: 405, message: "Method not allowed" },
  conflict: { status: 409, message: "The data has changed; load it again" },
  payloadTooLarge: { status: 413, message: "Payload too large" },
  unsupportedMediaType: { status: 415, message: "Unsupported media type" },
  misdirected: {
    status: 421,
    message: "This server does not answer under this name; set POLICY_SERVER_HOST or PUBLIC_BASE_URL to it",
  },
  tooManyRequests: { status: 429, message: "Too many attempts" },
  internal: { status: 500, message: "Internal server error" },
  unavailable: { status: 503, message: "Service unavailable" },
  timeout: {
    status: 504,
    message: "The work takes too long to wait for; a change may still be made: check before you repeat it",
  },
} as const;

export type ErrorCode = keyof typeof kinds;

export interface AppErrorOptions {
  readonly cause?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: unknown;
}

/** An error whose message the caller may see, without secrets. Other errors become a neutral 500 (`api.md` 0.5). */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: unknown;

  constructor(
    readonly code: ErrorCode,
    message: string = kinds[code].message,
    { cause, headers = {}, data = {} }: AppErrorOptions = {},
  ) {
    super(message, { cause });
    this.status = kinds[code].status;
    // Every 503 says when to retry (`api.md` 0.5).
    this.headers = code === "unavailable" ? { "Retry-After": "5", ...headers } : headers;
    this.data = data;
  }
}

/** Code or name of a network failure, e.g. `ECONNREFUSED`. Messages may quote addresses and sent headers. */
export function findFailureCode(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause === undefined ? error.name : findFailureCode(error.cause);
}
