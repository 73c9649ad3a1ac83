import { Copy, Ellipsis, Eye, Pencil, Trash2, Undo2 } from "lucide-react";
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
import { DraftForm } from "@/app/_components/form/draft-form";
import type { Draft } from "@/app/_components/form/use-draft";
import type { Save } from "@/app/_components/form/use-save";
import type { RecordFamily } from "@/app/_records/family";
import type { Removal } from "@/app/_records/removal-dialog";
import { EditorTabs } from "@/app/_releases/history/history";
import { reviewPath } from "@/app/_releases/item-address";
import type { Environment, RecordStatus } from "@/lib/vocabulary/terms";

/** `id` is 0 for a new record. */
export interface HeadedRecord {
  readonly id: number;
  /** Null or empty for a new one. */
  readonly status: RecordStatus | "" | null;
  readonly environment: Environment;
  readonly isDeleted: boolean;
  readonly isPromoted: boolean;
  /** ISO 8601. */
  readonly changedAt: string | null;
}

interface RecordEditorProps<Form extends object> {
  readonly family: RecordFamily<Form>;
  readonly name: string;
  readonly record: HeadedRecord;
  readonly draft: Draft<Form>;
  readonly save: Save<Form>;
  readonly labels: Readonly<Record<string, string>>;
  readonly renderRemoval: (removal: Removal<Form>) => ReactNode;
  readonly children: ReactNode;
}

export function RecordEditor<Form extends object>({ children, ...head }: RecordEditorProps<Form>) {
  const { family, name, record, draft, save, labels } = head;
  const isReadOnly = record.environment === "production" || record.isDeleted;
  return (
    <>
      <RecordHeader {...head} />
      <EditorTabs item={record.id === 0 ? null : { family: family.family, key: name }}>
        {isReadOnly ? (
          <div className="space-y-4">{children}</div>
        ) : (
          <DraftForm draft={draft} save={save} labels={labels}>
            {children}
          </DraftForm>
        )}
      </EditorTabs>
    </>
  );
}

export function RecordHeader<Form extends object>({
  family,
  name,
  record,
  draft,
  save,
  renderRemoval,
}: Omit<RecordEditorProps<Form>, "labels" | "children">) {
  const { newTitle, section, label, helpHref, isCopied, pathOf } = family;
  const { id, status, environment, isDeleted, isPromoted, changedAt } = record;
  const [asked, setAsked] = useState<"delete" | "restore" | null>(null);
  const reviewHref = reviewPath([{ item: { family: family.family, key: name } }]);
  const isStaging = environment === "staging";
  const isNew = id === 0;
  const entries: MenuEntry[] = [
    ...(isCopied ? [{ label: "Duplicate", icon: Copy, href: `${section}/manage?from=${id}` }] : []),
    ...(isPromoted ? [{ label: "View in production", icon: Eye, href: pathOf({ id, name }, "production") }] : []),
    ...(isCopied || isPromoted ? ["separator" as const] : []),
    { label: "Delete…", icon: Trash2, danger: true, onSelect: () => setAsked("delete") },
  ];
  return (
    <>
      <PageHeader
        title={isNew ? newTitle : <Breakable text={name} />}
        back={<BackToList section={section} label={label} plainHref={`${section}?environment=${environment}`} />}
        helpHref={helpHref}
        state={
          <>
            {status && <RecordChip status={status} isDeleted={isDeleted} isNew={!isPromoted} />}
            {changedAt !== null && (
              <span className="text-table text-muted">
                {status === "PRODUCTION" ? "published" : "saved"} <TimeAgo at={changedAt} />
              </span>
            )}
          </>
        }
        actions={
          isNew ? null : isStaging ? (
            <>
              {isDeleted && (
                <Button needsServer needs="edit" onClick={() => setAsked("restore")}>
                  <Undo2 aria-hidden="true" />
                  Restore…
                </Button>
              )}
              {status === "STAGING" && (
                <PromoteButton
                  href={reviewHref}
                  unsaved={draft.isDirty ? { save: save.submit, isSaved: true } : null}
                />
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
          This is the production version. To change it, edit it in staging and publish.
        </Notice>
      )}
      {isDeleted && (
        <Notice tone="bad" className="mb-4" title="Marked for deletion">
          It is no longer in the staging table
          {isPromoted ? " and leaves production when the deletion is published." : "."} Restore it to edit it.
        </Notice>
      )}
      {asked !== null && renderRemoval({ isRestore: asked === "restore", draft, onClose: () => setAsked(null) })}
    </>
  );
}
