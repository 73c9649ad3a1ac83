"use client";
import { useState } from "react";
import { pairKey } from "@/app/_components/certificate/use-certificate-pair";
import { ChangeTable } from "@/app/_components/form/change-table";
import { listDifferences } from "@/app/_components/form/deep-equal";
import { listDirty } from "@/app/_components/form/leave-guard-store";
import type { Draft } from "@/app/_components/form/use-draft";
import type { Save } from "@/app/_components/form/use-save";
import { Notice } from "@/app/_components/feedback/notice";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { PromotionEffectNote, PromotionQuestion } from "@/app/_records/promotion-question";
import { type Editable, labels, pairName } from "./editable";
import { followNewest } from "./module-config-api";

/** What can be promoted: what is saved, and what is not saved yet. */
export interface PromotedDraft {
  readonly saved: Editable;
  /** Whether what is saved differs from production. */
  readonly isModified: boolean;
  readonly production: Editable | null;
  readonly draft: Draft<Editable>;
  readonly save: Save<Editable>;
}

/**
 * Says what a promotion changes. With unsaved changes it asks which state is meant: they can be saved on the way, or
 * left out.
 */
export function PromoteDialog({
  saved,
  isModified,
  production,
  draft,
  save,
  onClose,
}: Readonly<PromotedDraft & { onClose: () => void }>) {
  const action = useAction("/api/v1/module/promote");
  const hasPair = listDirty().includes(pairKey(pairName));
  // The question stays as it was asked while the answer to it changes what it was about.
  const [asked] = useState({ saved, isModified, isDirty: draft.isDirty, base: draft.base, value: draft.value });
  const [isSaved, setIsSaved] = useState(false);
  const asksForState = asked.isDirty && !isSaved;
  const ready = isSaved ? asked.value : asked.saved;

  async function saveFirst() {
    // Why it could not be saved stands in the form, or is asked there: the dialog makes room for it.
    const isStored = await save.submit();
    setIsSaved(isStored);
    return isStored;
  }

  return (
    <PromotionQuestion
      title={asksForState ? "Promote with your unsaved changes?" : "Promote the module config?"}
      confirmLabel={asksForState ? "Save and promote" : "Promote module config"}
      {...(asksForState && { prepare: saveFirst })}
      withoutPreparing={asksForState && asked.isModified ? "Promote the saved state" : null}
      publish={(force) => action.run({ ...(force && { force }) })}
      onPromoted={async () => {
        showDone("Module config promoted to production");
        await followNewest();
      }}
      onClose={onClose}
      {...(isSaved && { refused: "Your changes are saved in staging, but nothing has been promoted." })}
    >
      <PromotionEffectNote />
      {(asked.isModified || isSaved) && (
        <Changes title={asksForState ? "Saved in staging" : null} before={production ?? {}} after={ready} />
      )}
      {asksForState && (
        <Changes title="Not saved yet, promoted only with “Save and promote”" before={asked.base} after={asked.value} />
      )}
      {hasPair && (
        <Notice className="text-text">
          The key and certificate on this page are not stored yet and not part of it. To promote them as well, cancel
          and save them first.
        </Notice>
      )}
    </PromotionQuestion>
  );
}

function Changes({ title, before, after }: Readonly<{ title: string | null; before: object; after: object }>) {
  const changed = listDifferences(before, after);
  return (
    <section className="text-text">
      {title !== null && <h3 className="text-table font-semibold">{title}</h3>}
      {changed.length === 0 ? (
        <p>All settings are equal to production; only the certificate may differ.</p>
      ) : (
        <ChangeTable before={before} after={after} changed={changed} labels={labels} />
      )}
    </section>
  );
}
