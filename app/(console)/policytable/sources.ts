import type { TableSource } from "@/app/(console)/policytable/page-query";
import type { ReleaseOutlineJson } from "@/lib/releases/answer-schema";

export interface SourceOption {
  readonly value: TableSource;
  readonly label: string;
}

/** Newest release first. `others`: selected releases, perhaps too old for the menu. */
export function listSources(
  releases: readonly Pick<ReleaseOutlineJson, "number" | "name">[],
  others: readonly TableSource[] = [],
): SourceOption[] {
  const options = [
    { value: "production", label: "Production" },
    { value: "staging", label: "Staging" },
    ...releases.map(({ number, name }) => ({
      value: String(number),
      label: name === null ? `Release ${number}` : `Release ${number}: ${name}`,
    })),
  ];
  const isMissing = (value: TableSource) => !options.some((option) => option.value === value);
  const missing = [...new Set(others)].filter(isMissing);
  return [...options, ...missing.map((value) => ({ value, label: `Release ${value}` }))];
}

export function nameOf(source: TableSource, sources: readonly SourceOption[]): string {
  return sources.find(({ value }) => value === source)?.label ?? source;
}

export interface ChosenApp {
  readonly uuid: string;
  readonly name: string;
}
