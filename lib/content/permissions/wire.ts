import type { UnmappedPermissions } from "@/lib/content/permissions/queries";

/** The `data` of `GET permissions/unmapped` (`api.md` 10.2). */
export function toUnmappedJson({ items, nextCursor, rpcCount, parameterCount }: UnmappedPermissions) {
  return {
    permissions: items.map(({ name, type }) => ({ name, type })),
    unmapped_rpc_count: rpcCount,
    unmapped_parameter_count: parameterCount,
    next_cursor: nextCursor,
  };
}
