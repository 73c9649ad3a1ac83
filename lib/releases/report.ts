import type {
  AppsEffect,
  AuthorJson,
  ItemDiffJson,
  ReleaseEffectAppJson,
  ReleaseJson,
} from "@/lib/releases/answer-schema";
import { describeAppsEffect, lossWords } from "@/lib/releases/describe-effect";
import { type ItemKey, itemText, kindLabels, releaseItems } from "@/lib/vocabulary/release-items";

export interface ReportedRelease {
  readonly release: ReleaseJson;
  readonly diff: readonly ItemDiffJson[];
  /** With every app; null: the first release has no state before it. */
  readonly effect: AppsEffect | null;
  readonly titleOf: (item: ItemKey) => string;
}

export function buildReport({ release, diff, effect, titleOf }: ReportedRelease): string {
  const { number, name, note, reason, findings } = release;
  const title = `# Release #${number}${name === null ? "" : ` ${escape(name)}`}`;
  const parts = [title, listFacts(release).join("\n")];
  if (note !== null) parts.push(`> ${note.split("\n").map(escape).join("\n> ")}`);
  if (findings.length > 0) {
    const lines = findings.map((one) => `- ${nameOf(one, titleOf)}: ${escape(one.message)}`);
    parts.push("## Published despite problems", `Reason: ${escape(reason ?? "none given")}`, lines.join("\n"));
  }
  parts.push("## Items", ...listItems({ release, diff, titleOf }));
  if (effect !== null) {
    parts.push("## Effect on apps", escape(describeAppsEffect(effect, true)));
    if (effect.apps.length > 0) parts.push(effect.apps.map(describeApp).join("\n"));
  }
  return `${parts.join("\n\n")}\n`;
}

function listFacts(release: ReleaseJson): string[] {
  const { kind, author, approved_by: approvedBy, at, returned_to: target, revision } = release;
  const facts: readonly (readonly [string, string | null])[] = [
    ["Kind", kindLabels[kind]],
    ["Rolled back to", target === null ? null : `release #${target}`],
    ["Published", `${at.slice(0, 19).replace("T", " ")} UTC`],
    ["By", nameAuthor(author)],
    ["Approved by", approvedBy && nameAuthor(approvedBy)],
    ["Policy revision", String(revision)],
  ];
  return facts.flatMap(([word, value]) => (value === null ? [] : [`- ${word}: ${value}`]));
}

function nameAuthor(author: AuthorJson | null): string {
  if (author === null) return "unknown";
  return `${escape(author.display_name ?? author.actor)}${author.display_name_verified ? " (verified)" : ""}`;
}

const changeWords = { add: "Added", change: "Changed", delete: "Removed" } as const;

function listItems({ release, diff, titleOf }: Omit<ReportedRelease, "effect">): string[] {
  const fieldsOf = new Map(diff.map((item) => [itemText(item), item.fields]));
  return release.items.flatMap((item) => {
    const fields = (fieldsOf.get(itemText(item)) ?? []).map(
      ({ path, before, after }) => `- \`${path.replaceAll("`", "'")}\`: ${sayValue(before)} → ${sayValue(after)}`,
    );
    const heading = `### ${changeWords[item.change]}: ${nameOf(item, titleOf)}`;
    return [heading, escape(item.summary), ...(fields.length === 0 ? [] : [fields.join("\n")])];
  });
}

function nameOf(item: ItemKey, titleOf: ReportedRelease["titleOf"]): string {
  return item.key === "" ? titleOf(item) : `${releaseItems[item.family].noun} ${escape(titleOf(item))}`;
}

function describeApp({ name, loss, areas, prompts, rejected }: ReleaseEffectAppJson): string {
  const told = (kind: "lost" | "gained", word: string) => {
    const whats = areas.filter((one) => one.kind === kind).map(({ what }) => escape(what));
    return whats.length === 0 ? [] : [`${word} ${whats.join(", ")}`];
  };
  const parts = [
    ...(loss === null ? [] : [lossWords[loss]]),
    ...told("lost", "loses"),
    ...told("gained", "gains"),
    ...(prompts.length === 0 ? [] : [`drivers are newly asked: ${prompts.map(escape).join(", ")}`]),
    ...rejected.map(({ rpcs, message }) => `cars reject ${escape(rpcs.join(", "))}: ${escape(message)}`),
  ];
  return `- ${escape(name)}: ${parts.join("; ") || "same permissions"}`;
}

function sayValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  if (Array.isArray(value) && value.every((one) => typeof one !== "object")) return escape(value.join(", "));
  return escape(typeof value === "string" ? value : JSON.stringify(value));
}

/** A text of others as plain text on one line. */
function escape(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, "\\$&").replace(/\s+/g, " ");
}
