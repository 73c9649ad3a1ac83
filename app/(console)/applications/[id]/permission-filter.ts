import type { ApplicationJson } from "@/lib/applications/answer-schema";

/** Types and levels to filter by; `unknown` and `none` stand for what is missing. */
export const typeChoices = [
  { value: "all", label: "All types" },
  { value: "RPC", label: "RPCs" },
  { value: "PARAMETER", label: "Parameters" },
  { value: "MODULE", label: "Modules" },
  { value: "unknown", label: "Unknown" },
] as const;
export const levelChoices = [
  { value: "all", label: "All levels" },
  { value: "HMI_FULL", label: "FULL" },
  { value: "HMI_LIMITED", label: "LIMITED" },
  { value: "HMI_BACKGROUND", label: "BACKGROUND" },
  { value: "HMI_NONE", label: "NONE" },
  { value: "none", label: "No level" },
] as const;

export interface PermissionFilter {
  readonly search: string;
  readonly type: (typeof typeChoices)[number]["value"];
  readonly level: (typeof levelChoices)[number]["value"];
}

/** The permissions that meet all parts of a filter, in their order. */
export function filterPermissions(
  permissions: ApplicationJson["permissions"],
  { search, type, level }: PermissionFilter,
): ApplicationJson["permissions"] {
  const text = search.trim().toLowerCase();
  return permissions.filter(
    (permission) =>
      permission.key.toLowerCase().includes(text) &&
      (type === "all" || (permission.type ?? "unknown") === type) &&
      (level === "all" || (permission.hmi_level ?? "none") === level),
  );
}
