import { errorNamed } from "@/lib/platform/errors";

class DirectoryError extends Error {
  constructor(
    message: string,
    /** Status of the answer; null when there was none. */
    readonly status: number | null = null,
  ) {
    super(message);
  }
}

/** The directory understood a call and refused it: status 400 to 403 (rule H4). Repeating it would change nothing. */
export class DirectoryRefused extends DirectoryError {
  override readonly name = "DirectoryRefused";
}
export const isDirectoryRefused = errorNamed<DirectoryRefused>("DirectoryRefused");

/** A call did not succeed for a reason that may pass: network, deadline, another status, an unusable answer (rule H5). */
export class DirectoryFailed extends DirectoryError {
  override readonly name = "DirectoryFailed";
}
export const isDirectoryFailed = errorNamed<DirectoryFailed>("DirectoryFailed");
