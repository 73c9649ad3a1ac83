import { guides } from "@/app/_components/guides";
import { vehicleDataPath } from "@/lib/content/vehicle-data/list-address";
import { type ItemFamily, releaseItems } from "@/lib/labels/release-items";
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

const kindOf = (family: ItemFamily) => {
  const { noun, nouns, section, heading, pathOf } = releaseItems[family];
  const pathOfRecord: RecordKind["pathOf"] = ({ name }, environment) => pathOf(name, environment);
  return { family, noun, nouns, section, label: heading, pathOf: pathOfRecord };
};

export const recordKinds = {
  groups: {
    ...kindOf("group"),
    word: "group",
    newTitle: "New functional group",
    helpHref: guides.functionalGroups,
    isCopied: true,
  },
  messages: {
    ...kindOf("message"),
    word: "message",
    newTitle: "New message",
    helpHref: guides.consumerMessages,
    isCopied: false,
  },
  vehicleData: {
    ...kindOf("vehicle_data"),
    word: "item",
    newTitle: "New vehicle data item",
    helpHref: guides.vehicleData,
    isCopied: true,
    pathOf: ({ id }, environment) => vehicleDataPath(id, environment),
  },
} as const satisfies Record<string, RecordKind>;
