import { errorNamed } from "@/lib/platform/errors";

class DirectoryError extends Error {
  constructor(
    message: string,
    /** Status of the response; null if there was none. */
    readonly status: number | null = null,
  ) {
    super(message);
  }
}

/** The app directory understood a call and refused it with status 400 to 403 (rule H4). Retrying is pointless. */
export class DirectoryRefused extends DirectoryError {
  override readonly name = "DirectoryRefused";
}
export const isDirectoryRefused = errorNamed<DirectoryRefused>("DirectoryRefused");

/** A call failed for a reason that may pass: network, timeout, another status, an unusable response (rule H5). */
export class DirectoryFailed extends DirectoryError {
  override readonly name = "DirectoryFailed";
}
export const isDirectoryFailed = errorNamed<DirectoryFailed>("DirectoryFailed");
