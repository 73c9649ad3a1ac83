/** The labels of the family in `family.ts`. Import it before anything that reads the list of families. */
import { type ItemDescription, itemFamilies, releaseItems } from "@/lib/labels/release-items";

const sound: ItemDescription = {
  noun: "sound",
  nouns: "sounds",
  heading: "Sounds",
  section: "/sounds",
  targets: ["sound"],
  pathOf: (key) => `/sounds/${key}`,
};
Object.assign(releaseItems, { sound });
(itemFamilies as string[]).unshift("sound");
