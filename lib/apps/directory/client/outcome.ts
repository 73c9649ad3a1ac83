import type { Cut } from "@/lib/policy/head-unit/entry-limits";
import type { ApprovalStatus } from "@/lib/vocabulary/terms";

/**
 * - `deleted`, `blacklisted`: `isChanged` if this was news
 * - `malformed`: to be read again later, which requires a usable uuid
 * - `overtaken`: the app changed after the record was read, so it is to be read again
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
      readonly cuts: readonly Cut[];
      readonly holds: readonly string[];
    };
