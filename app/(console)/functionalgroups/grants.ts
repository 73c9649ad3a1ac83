import type { GrantKind } from "@/lib/groups/list-address";

/** What each grant is called and means, and the member of the API it is stored in. */
export const grantWords = {
  default: {
    member: "is_default",
    chip: "All apps",
    label: "All apps",
    meaning: "Every app that is not blocked gets this group, whatever it asks for.",
  },
  preconsent: {
    member: "is_pre_data_consent",
    chip: "Before consent",
    label: "Before data consent",
    meaning: "In force while the driver has not yet allowed the phone to exchange data.",
  },
  device: {
    member: "is_device",
    chip: "Device",
    label: "After data consent (device)",
    meaning: "In force for the phone itself once the driver has allowed it to exchange data.",
  },
  provider: {
    member: "is_app_provider_group",
    chip: "Providers",
    label: "App service providers",
    meaning: "Apps that provide at least one app service, such as media or navigation, get it.",
  },
  administrator: {
    member: "is_administrator_group",
    chip: "Administrators",
    label: "Administrator apps",
    meaning: "Apps that are marked as administrator on their page get it.",
  },
  widget: {
    member: "is_widget_group",
    chip: "Widgets",
    label: "Apps with widgets",
    meaning: "Apps that may manage windows besides their main one get it.",
  },
  proprietary: {
    member: "is_proprietary_group",
    chip: "By hand",
    label: "By hand (proprietary)",
    meaning: "No app gets it by itself: it is granted to one version of an app at a time, on the page of the app.",
  },
} as const satisfies Record<GrantKind, object>;

export type GrantMember = (typeof grantWords)[GrantKind]["member"];
