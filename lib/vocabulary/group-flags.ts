import { namesOf, recordOf } from "@/lib/vocabulary/members";

/**
 * In the order of the API (`api.md` 11.2); keys are values in the address of the console's list. What a flag grants is
 * in
 * `lib/policy/table/app-groups.ts` and `app-policies.ts`.
 */
export const groupGrants = {
  default: {
    flag: "isDefault",
    chip: "All apps",
    label: "All apps",
    meaning: "Every app that is not blocked gets this group, whatever it asks for.",
  },
  preconsent: {
    flag: "isPreDataConsent",
    chip: "Before consent",
    label: "Before data consent",
    meaning: "Applies until the driver allows the phone to exchange data.",
  },
  device: {
    flag: "isDevice",
    chip: "Device",
    label: "After data consent (device)",
    meaning: "Applies to the phone itself once the driver allows it to exchange data.",
  },
  provider: {
    flag: "isAppProviderGroup",
    chip: "Providers",
    label: "App service providers",
    meaning: "For apps that provide at least one app service, such as media or navigation.",
  },
  administrator: {
    flag: "isAdministratorGroup",
    chip: "Administrators",
    label: "Administrator apps",
    meaning: "For apps marked as administrator on their page.",
  },
  widget: {
    flag: "isWidgetGroup",
    chip: "Widgets",
    label: "Apps with widgets",
    meaning: "For apps that may open windows besides their main one.",
  },
  proprietary: {
    flag: "isProprietaryGroup",
    chip: "Manual",
    label: "Manual (proprietary)",
    meaning: "You grant it to one version of an app at a time, on the app’s page.",
  },
} as const;

export type GrantKind = keyof typeof groupGrants;
export const grantKinds = namesOf(groupGrants);
export type GrantFlag = (typeof groupGrants)[GrantKind]["flag"];
export const grantFlags = grantKinds.map((kind): GrantFlag => groupGrants[kind].flag);

export const groupFlags = [...grantFlags, "encryptionRequired"] as const;
export type GroupFlag = (typeof groupFlags)[number];
export type GroupFlags = Readonly<Record<GroupFlag, boolean>>;

export function pickGroupFlags(record: GroupFlags): GroupFlags {
  return recordOf(groupFlags, (name) => record[name]);
}

export function listGrants(record: Pick<GroupFlags, GrantFlag>): GrantKind[] {
  return grantKinds.filter((kind) => record[groupGrants[kind].flag]);
}
