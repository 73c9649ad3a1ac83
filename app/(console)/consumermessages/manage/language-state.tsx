import { Circle, CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import { cn } from "@/app/_components/ui/cn";
import { judgeLanguage, type MessageDraft, hasLanguage } from "../message-draft";

const looks = {
  wrong: { icon: CircleAlert, className: "text-bad" },
  missing: { icon: CircleDashed, className: "text-muted" },
  partial: { icon: Circle, className: "text-warn" },
  complete: { icon: CircleCheck, className: "text-good" },
} as const;

export function LanguageState({
  draft,
  languageId,
  isWrong,
  isChanged,
}: Readonly<{ draft: MessageDraft; languageId: string; isWrong: boolean; isChanged: boolean }>) {
  const { state, lacking } = judgeLanguage(draft, languageId);
  const { icon: Icon, className } = looks[isWrong ? "wrong" : state];
  const words = {
    missing: hasLanguage(draft, languageId) ? "Empty" : "Missing",
    partial: lacking.length === 1 ? "1 field missing" : `${lacking.length} fields missing`,
    complete: "Complete",
  }[state];
  return (
    <span className="flex items-center gap-1 text-xs text-muted">
      <Icon aria-hidden="true" className={cn("size-3.5 shrink-0", className)} />
      {isWrong ? "Wrong placeholder" : words}
      {isChanged && <span className="font-medium text-link"> · edited</span>}
    </span>
  );
}
