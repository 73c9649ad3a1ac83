import { BadgeCheck } from "lucide-react";
import { nameOf } from "@/app/_releases/labels";
import type { AuthorJson } from "@/lib/content/releases/answer-schema";

/** Who did it. A name that people give themselves proves nothing; one that the proxy in front vouches for has a mark. */
export function Author({ author }: Readonly<{ author: AuthorJson | null }>) {
  const isVerified = author?.display_name_verified === true;
  const isSelfDeclared = !isVerified && author?.display_name != null;
  return (
    <span title={isSelfDeclared ? "Self-declared" : undefined} className="inline-flex min-w-0 items-center gap-1">
      <span className="wrap-anywhere">{nameOf(author)}</span>
      {isVerified && (
        <>
          <BadgeCheck aria-hidden="true" className="size-3.5 shrink-0 text-good" />
          <span className="sr-only">(verified)</span>
        </>
      )}
    </span>
  );
}
