import { guides } from "@/app/_components/guides";
import { vehicleDataPath } from "@/lib/records/vehicle-data/list-address";
import { type RecordItemFamily, releaseItems } from "@/lib/vocabulary/release-items";
import type { Environment } from "@/lib/vocabulary/terms";

export interface RecordKind {
  readonly family: RecordItemFamily;
  readonly word: string;
  readonly noun: string;
  readonly nouns: string;
  readonly newTitle: string;
  /** The list's path; the editor is at `manage` below it. */
  readonly section: string;
  readonly label: string;
  readonly helpHref: string;
  readonly isCopied: boolean;
  readonly pathOf: (record: { readonly id: number; readonly name: string }, environment: Environment) => string;
}

const kindOf = (family: RecordItemFamily) => {
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
