import { errorNamed } from "@/lib/platform/errors";

/**
 * The RPC specification could not be downloaded, or is not one that can be used. The message is a sentence that an
 * administrator can read; nothing has been stored.
 */
export class SpecificationRefused extends Error {
  override readonly name = "SpecificationRefused";
}
export const isSpecificationRefused = errorNamed<SpecificationRefused>("SpecificationRefused");
