"one per process";

class DirectoryError extends Error {
  constructor(
    message: string,
    readonly status: number | null = null,
  ) {
    super(message);
  }
}

/** Status 400 to 403: retrying is pointless. */
export class DirectoryRefused extends DirectoryError {
  override readonly name = "DirectoryRefused";
}

/** The reason may pass: network, timeout, another status, an unusable response. */
export class DirectoryFailed extends DirectoryError {
  override readonly name = "DirectoryFailed";
}
