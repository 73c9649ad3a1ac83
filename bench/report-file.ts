import { existsSync, readFileSync, writeFileSync } from "node:fs";

const file = "docs/benchmarks.md";
const parts = ["load", "releases", "growth", "faults", "mutations"] as const;

/** Replaces one part of docs/benchmarks.md; the others stay as they are. */
export function writePart(name: (typeof parts)[number], text: string): void {
  const old = existsSync(file) ? readFileSync(file, "utf8") : "";
  const contents = parts.map((part) => {
    const [begin, end] = [`<!-- begin ${part} -->`, `<!-- end ${part} -->`];
    const inside = old.includes(begin) ? (old.split(begin)[1]?.split(end)[0]?.trim() ?? "") : "";
    const content = part === name ? text.trim() : inside;
    return content === "" ? "" : `${begin}\n\n${content}\n\n${end}\n`;
  });
  writeFileSync(file, ["# Benchmarks\n", ...contents.filter((content) => content !== "")].join("\n"));
}
