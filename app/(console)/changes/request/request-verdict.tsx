"use client";
import type { EffectPaths } from "@/app/_releases/effect-apps";
import { pathOfChoice, pathOfMoreApps, pathsOfRelease } from "@/app/_releases/publication";
import { ChecksSection, EffectSection } from "@/app/_releases/verdict-sections";
import type { ApprovalAnswer } from "@/lib/releases/answer-schema";

export function RequestVerdict({ request }: Readonly<{ request: ApprovalAnswer }>) {
  const { approval, checks, effect } = request;
  // Decisions about apps are checked when they are approved.
  const isOfApp = ["decision", "flag", "import"].includes(approval.kind);
  return (
    <>
      {!isOfApp && <ChecksSection checks={checks} />}
      <EffectSection effect={effect} bytes={effect.bytes} {...pathsOf(request)} />
    </>
  );
}

/** The items of a decision tell what it does to its app. */
function pathsOf({ approval: { kind, returned_to: number }, items }: ApprovalAnswer): EffectPaths {
  if (kind === "publish") {
    return {
      pathOf: (uuid) => pathOfChoice(items, false, uuid),
      morePathOf: (from) => pathOfMoreApps(items, false, from),
    };
  }
  return kind === "return" && number !== null ? pathsOfRelease(number, "return") : { pathOf: null };
}
