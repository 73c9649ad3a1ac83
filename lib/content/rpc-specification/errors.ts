import { errorNamed } from "@/lib/platform/errors";

/**
 * The RPC specification could not be downloaded or is unusable. The message is for administrators; nothing has been
 * stored.
 */
export class SpecificationRefused extends Error {
  override readonly name = "SpecificationRefused";
}
export const isSpecificationRefused = errorNamed<SpecificationRefused>("SpecificationRefused");
