import { namesOf, recordOf } from "@/lib/labels/members";

/**
 * The flags of functional groups that grant them to somebody, in the order of the API (`api.md` 11.2), under what the
 * address of the console's list calls the grant. All there is to say about a flag stands here; only what it grants is
 * decided elsewhere, in `lib/policy/table/app-groups.ts` and `app-policies.ts`.
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
    meaning: "In force while the driver has not yet allowed the phone to exchange data.",
  },
  device: {
    flag: "isDevice",
    chip: "Device",
    label: "After data consent (device)",
    meaning: "In force for the phone itself once the driver has allowed it to exchange data.",
  },
  provider: {
    flag: "isAppProviderGroup",
    chip: "Providers",
    label: "App service providers",
    meaning: "Apps that provide at least one app service, such as media or navigation, get it.",
  },
  administrator: {
    flag: "isAdministratorGroup",
    chip: "Administrators",
    label: "Administrator apps",
    meaning: "Apps that are marked as administrator on their page get it.",
  },
  widget: {
    flag: "isWidgetGroup",
    chip: "Widgets",
    label: "Apps with widgets",
    meaning: "Apps that may manage windows besides their main one get it.",
  },
  proprietary: {
    flag: "isProprietaryGroup",
    chip: "By hand",
    label: "By hand (proprietary)",
    meaning: "No app gets it by itself: it is granted to one version of an app at a time, on the page of the app.",
  },
} as const;

/** What a group is granted by. */
export type GrantKind = keyof typeof groupGrants;
export const grantKinds = namesOf(groupGrants);
export type GrantFlag = (typeof groupGrants)[GrantKind]["flag"];
export const grantFlags = grantKinds.map((kind): GrantFlag => groupGrants[kind].flag);

/** The names of all flags that a group is saved with, in the order of the API. */
export const groupFlags = [...grantFlags, "encryptionRequired"] as const;
export type GroupFlag = (typeof groupFlags)[number];
export type GroupFlags = Readonly<Record<GroupFlag, boolean>>;

/** The flags of a record, without its other members. */
export function pickGroupFlags(record: GroupFlags): GroupFlags {
  return recordOf(groupFlags, (name) => record[name]);
}

/** The grants that a record has, in the order above. */
export function listGrants(record: Pick<GroupFlags, GrantFlag>): GrantKind[] {
  return grantKinds.filter((kind) => record[groupGrants[kind].flag]);
}
