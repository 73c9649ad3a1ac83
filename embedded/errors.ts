/** An error as MongoDB would answer it: number, name, sentence, further fields of the reply and error labels. */
export class DatabaseError extends Error {
  constructor(
    readonly code: number,
    readonly codeName: string,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    readonly labels: readonly string[] = [],
  ) {
    super(message);
    this.name = "DatabaseError";
  }
}

export const badValue = (message: string) => new DatabaseError(2, "BadValue", message);
export const failedToParse = (message: string) => new DatabaseError(9, "FailedToParse", message);
export const typeMismatch = (message: string) => new DatabaseError(14, "TypeMismatch", message);
export const invalidOptions = (message: string) => new DatabaseError(72, "InvalidOptions", message);
export const location = (code: number, message: string) => new DatabaseError(code, `Location${code}`, message);
export const namespaceNotFound = (message: string) => new DatabaseError(26, "NamespaceNotFound", message);

/** Another transaction got there first; the driver's `withTransaction` starts again when it sees the label. */
export const writeConflict = () =>
  new DatabaseError(
    112,
    "WriteConflict",
    "Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction.",
    {},
    ["TransientTransactionError"],
  );

export const noSuchTransaction = (message: string) =>
  new DatabaseError(251, "NoSuchTransaction", message, {}, ["TransientTransactionError"]);
