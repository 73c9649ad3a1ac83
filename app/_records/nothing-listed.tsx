import { EmptyState } from "@/app/_components/feedback/empty-state";
import { type ListFilter, useActiveFilters } from "@/app/_components/list/list-filters";
import { LinkButton } from "@/app/_components/ui/link-button";
import type { ListedKind } from "@/app/_records/listed-kind";
import { plural } from "@/lib/vocabulary/format-number";
import type { Environment } from "@/lib/vocabulary/terms";

export function NothingListed({
  kind: { icon, word, nothing },
  query,
  filters,
  unfiltered,
  creation,
}: Readonly<{
  kind: Pick<ListedKind<never>, "icon" | "word" | "nothing">;
  query: { readonly environment: Environment; readonly state?: string | undefined };
  filters: readonly ListFilter[];
  unfiltered: number;
  creation: string;
}>) {
  const { active, clearHref } = useActiveFilters(filters, query);
  const isStaging = query.environment === "staging";
  if (active.length > 0) {
    return (
      <EmptyState
        icon={icon}
        title={`No ${word} matches the filters`}
        action={<LinkButton href={clearHref}>Clear filters</LinkButton>}
      >
        {active.map(({ label, value }) => `${label}: ${value}`).join(" · ")}
      </EmptyState>
    );
  }
  if (unfiltered > 0) {
    const place = isStaging ? "Staging" : "Production";
    return (
      <EmptyState
        icon={icon}
        title={query.state === "modified" ? "Everything is published" : `No ${word} is in this state`}
      >
        {place} holds {plural(unfiltered, word)} in all.
      </EmptyState>
    );
  }
  const { title, text } = nothing[query.environment];
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        isStaging && (
          <LinkButton href={creation} variant="primary">
            New {word}
          </LinkButton>
        )
      }
    >
      {text}
    </EmptyState>
  );
}
