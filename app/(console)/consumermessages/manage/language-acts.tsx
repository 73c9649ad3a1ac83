import { CopyPlus, Eraser, type LucideIcon, RotateCcw, Trash2 } from "lucide-react";
import type { Draft } from "@/app/_components/form/use-draft";
import { Menu } from "@/app/_components/overlay/menu";
import { Button, type ButtonProps } from "@/app/_components/ui/button";
import { mainLanguage } from "@/lib/content/messages/completeness";
import type { NamedLanguage } from "@/lib/labels/language-names";
import {
  changeTexts,
  emptyTexts,
  hasLanguage,
  isLanguageChanged,
  listFilledLanguages,
  type MessageDraft,
  readTexts,
} from "../message-draft";

/** What can be done with all texts of a language at once. */
export function LanguageActs({
  language: { id, name },
  order,
  draft: { value, base, changed },
  onChange,
  onChangeAll,
}: Readonly<{
  language: NamedLanguage;
  order: readonly NamedLanguage[];
  draft: Draft<MessageDraft>;
  onChange: (members: MessageDraft) => void;
  /** For what takes its own button away. */
  onChangeAll: (members: MessageDraft) => void;
}>) {
  const isUsed = hasLanguage(value, id);
  const sources = listFilledLanguages(value, order).filter((language) => language.id !== id);
  return (
    <div className="flex flex-wrap items-center gap-1 max-sm:order-last max-sm:w-full">
      {isLanguageChanged(changed, id) && (
        <Act icon={RotateCcw} words="Reset" onClick={() => onChangeAll(changeTexts(id, readTexts(base, id)))} />
      )}
      {sources.length > 0 && (
        <Menu
          trigger={<Act icon={CopyPlus} words="Copy from…" />}
          entries={sources.map((source) => ({
            label: `${source.name} · ${source.id}`,
            onSelect: () => onChange(changeTexts(id, readTexts(value, source.id))),
          }))}
        />
      )}
      {isUsed && <Act icon={Eraser} words="Clear" onClick={() => onChange(changeTexts(id, emptyTexts))} />}
      {isUsed && id !== mainLanguage && (
        <Act
          icon={Trash2}
          words="Remove"
          aria-label={`Remove ${name}`}
          onClick={() => onChangeAll(changeTexts(id, null))}
        />
      )}
    </div>
  );
}

function Act({ icon: Icon, words, ...rest }: Readonly<ButtonProps & { icon: LucideIcon; words: string }>) {
  return (
    <Button size="sm" variant="ghost" {...rest}>
      <Icon aria-hidden="true" />
      {words}
    </Button>
  );
}
