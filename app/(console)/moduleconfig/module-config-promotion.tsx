"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { UnsavedPromotion } from "@/app/_components/form/unsaved-promotion";
import type { Draft } from "@/app/_components/form/use-draft";
import type { Save } from "@/app/_components/form/use-save";
import { PromoteButton } from "@/app/_records/promote-button";
import { reviewPath } from "@/app/_releases/item-address";
import type { Editable } from "./editable";

const reviewHref = reviewPath([{ family: "module_config" }]);

/** Leads to the review of the state of staging; with unsaved changes it asks first. Absent while there is nothing to promote. */
export function ModuleConfigPromotion({
  isModified,
  draft,
  save,
}: Readonly<{
  /** Whether what is saved differs from production. */
  isModified: boolean;
  draft: Draft<Editable>;
  save: Save<Editable>;
}>) {
  const router = useRouter();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      {(isModified || draft.isDirty) && (
        <PromoteButton href={reviewHref} {...(draft.isDirty && { onAsk: () => setIsAsking(true) })} />
      )}
      {isAsking && (
        <UnsavedPromotion
          save={save.submit}
          isSaved={isModified}
          onPromote={() => {
            setIsAsking(false);
            router.push(reviewHref);
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
