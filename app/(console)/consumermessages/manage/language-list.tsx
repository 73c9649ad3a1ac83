import { useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { cn } from "@/app/_components/ui/cn";
import { ComboboxField } from "@/app/_components/fields/combobox-field";
import { SearchInput } from "@/app/_components/fields/search-input";
import { hasLanguage, isLanguageChanged, type MessageDraft, rateLanguage, type LanguagePart } from "../message-draft";
import { Circle, CircleAlert, CircleCheck, CircleDashed } from "lucide-react";

export function LanguageList({
  language: { id: languageId },
  order,
  draft: { value: draft, changed },
  problems,
  isReadOnly,
  onChoose,
}: Readonly<LanguagePart>) {
  const [search, setSearch] = useState("");
  // On narrow screens, the texts come first.
  const [isOpen, setIsOpen] = useState(false);
  const wanted = search.trim().toLowerCase();
  const shown = order.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(wanted));
  const used = order.filter(({ id }) => hasLanguage(draft, id));
  const missing = order.filter(({ id }) => !hasLanguage(draft, id));
  const wrong = new Set(Object.keys(problems).map((member) => member.split(".")[0]));

  return (
    <section aria-label="Languages" className="rounded-card border border-line bg-surface">
      <header className="space-y-2 border-b border-line p-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 className="text-sm font-semibold">Languages</h2>
          <p className="text-xs text-muted tabular-nums">{`${used.length}/${order.length} in use`}</p>
          <Button
            size="sm"
            variant="ghost"
            className="ml-auto lg:hidden"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? "Hide" : "Show all"}
          </Button>
        </div>
        <SearchInput
          label="Search languages"
          value={search}
          onChange={setSearch}
          className={isOpen ? "" : "max-lg:hidden"}
        />
        {!isReadOnly && missing.length > 0 && (
          <ComboboxField
            label="Add a language"
            hideLabel
            value={null}
            placeholder="Add a language…"
            options={missing.map(({ id, name }) => ({ value: id, label: `${name} · ${id}` }))}
            onChange={(id) => {
              if (id !== null) onChoose(id);
            }}
          />
        )}
      </header>
      <ul
        className={cn(
          !isOpen && "max-lg:hidden",
          "max-h-56 overflow-y-auto p-1 lg:max-h-[max(16rem,calc(100dvh-26rem))]",
        )}
      >
        {shown.map(({ id, name }) => (
          <li key={id}>
            <button
              type="button"
              aria-current={id === languageId ? "true" : undefined}
              className={cn(
                "block w-full rounded-control px-2 py-1.5 text-left -outline-offset-2 hover:bg-hover",
                id === languageId && "bg-active hover:bg-active",
              )}
              onClick={() => onChoose(id)}
            >
              <span className="flex items-baseline justify-between gap-2">
                <span className="min-w-0 truncate text-table font-medium">{name}</span>
                <span className="shrink-0 font-mono text-2xs text-muted">{id}</span>
              </span>
              <LanguageState
                draft={draft}
                languageId={id}
                isWrong={wrong.has(id)}
                isChanged={isLanguageChanged(changed, id)}
              />
            </button>
          </li>
        ))}
        {shown.length === 0 && <li className="px-2 py-3 text-table text-muted">No language matches.</li>}
      </ul>
    </section>
  );
}

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
  const { state, lacking } = rateLanguage(draft, languageId);
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
