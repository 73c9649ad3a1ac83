"one per process";

/** The RPC specification is unavailable or unusable, and nothing has been stored. The message is for administrators. */
export class SpecificationRefused extends Error {
  override readonly name = "SpecificationRefused";
}
