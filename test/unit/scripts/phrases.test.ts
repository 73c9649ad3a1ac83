import { expect, it } from "vitest";
import { findPhrases } from "@/scripts/phrases.mjs";

const entriesOf = (file: string, text: string) => findPhrases(file, text).map(({ entry }) => entry);

it("finds them in documents over the end of a line, but not in code and addresses", () => {
  const text = [
    "Whoever\nmay do it.",
    "```sh\ncurl /groups/promote # a lane\n```",
    "`lane` and [a page](docs/moving-from-lanes.html).",
    "| a cell | apps are promoted |",
  ].join("\n\n");
  expect(entriesOf("README.md", text)).toEqual(["Whoever | Whoever may do it.", "promoted | apps are promoted"]);
});

it("finds them in what a program says, but not in its names, classes and comments", () => {
  const text = `
    /** Every lane promotes. */
    export const promote = (rights: number) =>
      rights > 1 ? \`\${rights} rights are left\` : <p className="lane for rights" title="The lane ends">No rights</p>;
    const path = "/api/v1/groups/promote";`;
  expect(entriesOf("app/a.tsx", text).toSorted()).toEqual([
    "lane | The lane ends",
    "rights | No rights",
    "rights | … rights are left",
  ]);
});

it("finds names that have another word", () => {
  const text = "const mostWaiting = 1; const almost = 2; const kept = { patienceMs: mostWaiting, mostly: almost };";
  expect(entriesOf("lib/a.ts", text)).toEqual(["mostWaiting | mostWaiting", "patienceMs | patienceMs"]);
});
