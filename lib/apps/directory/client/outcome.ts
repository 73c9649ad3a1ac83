import type { Cut } from "@/lib/policy/head-unit/entry-limits";
import type { ApprovalStatus } from "@/lib/labels/vocabulary";

/**
 * The outcome of one record of the app directory.
 *
 * - `known`: this version is already stored (rule D3)
 * - `stored`: stored as a new version
 * - `deleted`, `blacklisted`: as told by the app directory; `isChanged` if this was news (rules D1, D2)
 * - `malformed`: unusable, to be read again later (rule D5), which requires a usable uuid
 * - `overtaken`: the app changed after the record was read; the record may be outdated and is to be read again
 */
export type Outcome =
  | { readonly kind: "known" | "overtaken"; readonly uuid: string }
  | { readonly kind: "deleted" | "blacklisted"; readonly uuid: string; readonly isChanged: boolean }
  | { readonly kind: "malformed"; readonly uuid: string | null; readonly reason: string }
  | {
      readonly kind: "stored";
      readonly uuid: string;
      readonly id: number;
      readonly name: string;
      readonly approvalStatus: ApprovalStatus;
      /** What was cut from the record (rule D16). */
      readonly cuts: readonly Cut[];
      /** Why automatic approval held the version back (rule D17). */
      readonly holds: readonly string[];
    };
