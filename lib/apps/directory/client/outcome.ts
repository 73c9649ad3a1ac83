import type { Cut } from "@/lib/policy/head-unit/entry-limits";
import type { ApprovalStatus } from "@/lib/labels/vocabulary";

/**
 * What became of one record of the directory.
 *
 * - `known`: this version is stored already (rule D3)
 * - `stored`: as a new version
 * - `deleted`, `blacklisted`: so says the directory; `isChanged` when it was news (rules D1, D2)
 * - `malformed`: not usable, to be read again later (rule D5); without a usable uuid there is nothing to ask for
 * - `overtaken`: the app was changed after the record was read; the record may be old and is to be read again
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
      /** What was cut of the record (rule D16). */
      readonly cuts: readonly Cut[];
      /** Why automatic approval stopped (rule D17). */
      readonly holds: readonly string[];
    };
