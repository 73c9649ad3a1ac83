/** What the family of `family.ts` is called: to be there before anything asks which families there are. */
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
