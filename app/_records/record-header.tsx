"use client";
import { Copy, Ellipsis, Eye, Pencil, Trash2, Undo2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, type ReactNode } from "react";
import { Breakable } from "@/app/_components/ui/breakable";
import { Button } from "@/app/_components/ui/button";
import { IconButton } from "@/app/_components/ui/icon-button";
import { LinkButton } from "@/app/_components/ui/link-button";
import { BackToList } from "@/app/_components/list/back-to-list";
import { Menu } from "@/app/_components/overlay/menu";
import type { MenuEntry } from "@/app/_components/overlay/menu-popup";
import { Notice } from "@/app/_components/feedback/notice";
import { PageHeader } from "@/app/_components/ui/page-header";
import { RecordChip } from "@/app/_components/ui/status-chip";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { PromoteButton } from "@/app/_records/promote-button";
import { UnsavedPromotion } from "@/app/_components/form/unsaved-promotion";
import type { Draft } from "@/app/_components/form/use-draft";
import type { RecordFamily } from "@/app/_records/family";
import { reviewPath } from "@/app/_releases/item-address";
import type { Environment, RecordStatus } from "@/lib/labels/vocabulary";

/** What can be asked about a record as a whole. */
export type RecordAct = "delete" | "restore";

/** What is known of the record in view; `id` is 0 for a new one. */
export interface HeadedRecord {
  readonly id: number;
  /** Null or empty for a new one. */
  readonly status: RecordStatus | "" | null;
  readonly environment: Environment;
  readonly isDeleted: boolean;
  /** Whether production has a version of it. */
  readonly isPromoted: boolean;
  /** ISO 8601. */
  readonly changedAt: string | null;
}

/** Name and state of a versioned record that a page edits, and what can be done with it as a whole. */
export function RecordHeader<Form extends object>({
  family,
  name,
  record,
  draft,
  save,
  children,
}: Readonly<{
  family: RecordFamily<Form>;
  name: string;
  record: HeadedRecord;
  /** The form of the page. */
  draft: Draft<Form>;
  save: () => Promise<boolean>;
  /** The dialog of an act. */
  children: (act: RecordAct, close: () => void) => ReactNode;
}>) {
  const { newTitle, section, label, word, helpHref, isCopied, pathOf } = family;
  const { id, status, environment, isDeleted, isPromoted, changedAt } = record;
  const [act, setAct] = useState<RecordAct | "unsaved" | null>(null);
  const close = () => setAct(null);
  const start = (next: RecordAct) => () => setAct(next);
  const router = useRouter();
  const review = () => {
    close();
    router.push(reviewHref);
  };
  const reviewHref = reviewPath([{ item: { family: family.family, key: name } }]);
  const isStaging = environment === "staging";
  const isNew = id === 0;
  const entries: MenuEntry[] = [
    ...(isCopied ? [{ label: "Duplicate", icon: Copy, href: `${section}/manage?from=${id}` }] : []),
    ...(isPromoted ? [{ label: "View in production", icon: Eye, href: pathOf({ id, name }, "production") }] : []),
    ...(isCopied || isPromoted ? ["separator" as const] : []),
    { label: "Delete…", icon: Trash2, danger: true, onSelect: start("delete") },
  ];
  return (
    <>
      <PageHeader
        title={isNew ? newTitle : <Breakable text={name} />}
        back={
          <BackToList
            section={section}
            label={label}
            word={word}
            itemKey={isNew ? null : name}
            plainHref={`${section}?environment=${environment}`}
          />
        }
        helpHref={helpHref}
        state={
          <>
            {status && <RecordChip status={status} isDeleted={isDeleted} isNew={!isPromoted} />}
            {changedAt !== null && (
              <span className="text-table text-muted">
                {status === "PRODUCTION" ? "promoted" : "saved"} <TimeAgo at={changedAt} />
              </span>
            )}
          </>
        }
        actions={
          isNew ? null : isStaging ? (
            <>
              {isDeleted && (
                <Button needsServer needs="edit" onClick={start("restore")}>
                  <Undo2 aria-hidden="true" />
                  Restore…
                </Button>
              )}
              {status === "STAGING" && (
                <PromoteButton href={reviewHref} {...(draft.isDirty && { onAsk: () => setAct("unsaved") })} />
              )}
              {!isDeleted && (
                <Menu trigger={<IconButton icon={Ellipsis} label={`Actions for ${name}`} />} entries={entries} />
              )}
            </>
          ) : (
            <LinkButton href={pathOf({ id, name }, "staging")} variant="primary">
              <Pencil aria-hidden="true" />
              Edit in staging
            </LinkButton>
          )
        }
      />
      {!isStaging && (
        <Notice tone="info" className="mb-4">
          This is what production has; it is changed by promoting staging.
        </Notice>
      )}
      {isDeleted && (
        <Notice tone="bad" className="mb-4" title="Marked for deletion">
          It is gone from the staging table
          {isPromoted ? " and leaves production when the deletion is promoted." : "."} Restore it to edit it.
        </Notice>
      )}
      {act === "unsaved" && <UnsavedPromotion save={save} onPromote={review} onClose={close} />}
      {act !== null && act !== "unsaved" && children(act, close)}
    </>
  );
}
