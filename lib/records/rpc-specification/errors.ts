import { errorNamed } from "@/lib/platform/errors";

/** The RPC specification is unavailable or unusable, and nothing has been stored. The message is for administrators. */
export class SpecificationRefused extends Error {
  override readonly name = "SpecificationRefused";
}
export const isSpecificationRefused = errorNamed<SpecificationRefused>("SpecificationRefused");
