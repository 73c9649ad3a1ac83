const codeNames: Readonly<Record<number, string>> = {
  1: "InternalError",
  2: "BadValue",
  9: "FailedToParse",
  14: "TypeMismatch",
  16: "InvalidLength",
  20: "IllegalOperation",
  22: "InvalidBSON",
  26: "NamespaceNotFound",
  38: "FileNotOpen",
  39: "FileStreamFailed",
  40: "ConflictingUpdateOperators",
  43: "CursorNotFound",
  48: "NamespaceExists",
  52: "DollarPrefixedFieldName",
  56: "EmptyFieldName",
  59: "CommandNotFound",
  66: "ImmutableField",
  67: "CannotCreateIndex",
  72: "InvalidOptions",
  73: "InvalidNamespace",
  85: "IndexOptionsConflict",
  86: "IndexKeySpecsConflict",
  100: "UnsatisfiableWriteConcern",
  112: "WriteConflict",
  117: "ConflictingOperationInProgress",
  125: "CommandFailed",
  168: "InvalidPipelineOperator",
  171: "CannotIndexParallelArrays",
  175: "QueryPlanKilled",
  197: "InvalidIndexSpecificationOption",
  225: "TransactionTooOld",
  251: "NoSuchTransaction",
  256: "TransactionCommitted",
  263: "OperationNotSupportedInTransaction",
  10334: "BSONObjectTooLarge",
  11000: "DuplicateKey",
  14031: "OutOfDiskSpace",
  40415: "IDLUnknownField",
};

export class DatabaseError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    readonly labels: readonly string[] = [],
  ) {
    super(message);
    this.name = "DatabaseError";
  }

  get codeName(): string {
    return codeNames[this.code] ?? `Location${this.code}`;
  }
}

export const badValue = (message: string) => new DatabaseError(2, message);
export const failedToParse = (message: string) => new DatabaseError(9, message);
export const typeMismatch = (message: string) => new DatabaseError(14, message);
export const namespaceNotFound = (message: string) => new DatabaseError(26, message);

/** Another transaction was faster. The label makes the driver's `withTransaction` start again. */
export const writeConflict = () =>
  new DatabaseError(112, "Write conflict. Please retry your operation or multi-document transaction.", {}, [
    "TransientTransactionError",
  ]);

export const noSuchTransaction = (message: string) =>
  new DatabaseError(251, message, {}, ["TransientTransactionError"]);
