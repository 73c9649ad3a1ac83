import { cpus } from "node:os";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Collects results and their limits, and prints both as Markdown. */
export class Report {
  readonly #promises: string[] = [];
  readonly #tables: string[] = [];
  failures = 0;

  /** Whether it contains no results. */
  get isEmpty(): boolean {
    return this.#promises.length + this.#tables.length === 0;
  }

  /** A result with a limit. Reports whether it holds. */
  must(what: string, value: number, relation: "≤" | "≥", limit: number, unit = ""): void {
    const holds = relation === "≤" ? value <= limit : value >= limit;
    if (!holds) this.failures++;
    this.#promises.push(
      `| ${what} | ${format(value)} ${unit} | ${relation} ${limit} ${unit} | ${holds ? "yes" : "**no**"} |`,
    );
  }

  /** A failed measurement, which counts as a broken limit. */
  broken(what: string, error: unknown): void {
    this.failures++;
    const reason = error instanceof Error ? error.message : String(error);
    this.#promises.push(`| ${what} | ${reason.replaceAll(/[|\n]/g, " ")} | | **no** |`);
  }

  table(title: string, columns: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
    const line = (cells: readonly (string | number)[]) =>
      `| ${cells.map((cell) => (typeof cell === "number" ? format(cell) : cell)).join(" | ")} |`;
    this.#tables.push(
      [`### ${title}`, "", line(columns), line(columns.map(() => "---")), ...rows.map(line), ""].join("\n"),
    );
  }

  /** @param command that creates this part of docs/benchmarks.md */
  toMarkdown(title: string, command: string): string {
    const [cpu] = cpus();
    const promises = ["| what | measured | promised | holds |", "| --- | --- | --- | --- |", ...this.#promises, ""];
    return [
      `## ${title}`,
      "",
      `Made by \`${command}\` on ${cpus().length} cores (${cpu?.model ?? "unknown"}), Node ${process.version}, load and`,
      "servers on the same machine. All figures come from one run, which measured the servers in turns. Compare the ratios, not the absolute figures.",
      "",
      ...(this.#promises.length === 0 ? [] : promises),
      ...this.#tables,
    ].join("\n");
  }
}

function format(value: number): string {
  return Number.isInteger(value) || Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
}

const file = "docs/benchmarks.md";
const parts = ["load", "releases", "growth", "console", "fleet", "sizing", "faults", "mutations", "limits"] as const;

/** Replaces one part of docs/benchmarks.md and keeps the others. */
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
