import { guides } from "@/app/_components/guides";
import { groupPath } from "@/lib/content/groups/list-address";
import { vehicleDataPath } from "@/lib/content/vehicle-data/list-address";
import type { ItemFamily } from "@/lib/content/releases/vocabulary";
import type { Environment } from "@/lib/labels/vocabulary";

/** What a kind of versioned records is called, and where its pages lie. */
export interface RecordKind {
  /** What releases call the family. */
  readonly family: ItemFamily;
  /** What one is called: in short, and in full. */
  readonly word: string;
  readonly noun: string;
  readonly nouns: string;
  /** Title of the page of one that is not saved yet. */
  readonly newTitle: string;
  /** The list: its path, below which the editor stands at `manage`, and its name. */
  readonly section: string;
  readonly label: string;
  readonly helpHref: string;
  /** Whether a new record can begin as a copy of another one. */
  readonly isCopied: boolean;
  /** Where a record is edited, or with `production` read: an address that stays good. */
  readonly pathOf: (record: { readonly id: number; readonly name: string }, environment: Environment) => string;
}

export const recordKinds = {
  groups: {
    family: "group",
    word: "group",
    noun: "functional group",
    nouns: "functional groups",
    newTitle: "New functional group",
    section: "/functionalgroups",
    label: "Functional groups",
    helpHref: guides.functionalGroups,
    isCopied: true,
    pathOf: ({ name }, environment) => groupPath({ name }, environment),
  },
  messages: {
    family: "message",
    word: "message",
    noun: "consumer message",
    nouns: "consumer messages",
    newTitle: "New message",
    section: "/consumermessages",
    label: "Consumer messages",
    helpHref: guides.consumerMessages,
    isCopied: false,
    pathOf: ({ name }, environment) =>
      `/consumermessages/manage?category=${encodeURIComponent(name)}&environment=${environment}`,
  },
  vehicleData: {
    family: "vehicle_data",
    word: "item",
    noun: "item of vehicle data",
    nouns: "items of vehicle data",
    newTitle: "New item of vehicle data",
    section: "/vehicledata",
    label: "Vehicle data",
    helpHref: guides.vehicleData,
    isCopied: true,
    pathOf: ({ id }, environment) => vehicleDataPath(id, environment),
  },
} as const satisfies Record<string, RecordKind>;
