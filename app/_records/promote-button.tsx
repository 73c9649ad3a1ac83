import { Rocket } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { LinkButton } from "@/app/_components/ui/link-button";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";

export function PromoteButton({
  href,
  unsaved = null,
}: Readonly<{
  href: string;
  unsaved?: {
    readonly save: () => Promise<boolean>;
    readonly isSaved: boolean;
  } | null;
}>) {
  const router = useRouter();
  const [isAsking, setIsAsking] = useState(false);
  const label = (
    <>
      <Rocket aria-hidden="true" />
      Publish to production
    </>
  );
  if (unsaved === null) return <LinkButton href={href}>{label}</LinkButton>;
  return (
    <>
      <Button needsServer aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <UnsavedPromotion
          {...unsaved}
          onPromote={() => {
            setIsAsking(false);
            router.push(href);
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

function UnsavedPromotion({
  save,
  isSaved = true,
  onPromote,
  onClose,
}: Readonly<{
  /** Returns whether the changes are stored. Problems show in the form. */
  save: () => Promise<boolean>;
  isSaved?: boolean;
  onPromote: () => void;
  onClose: () => void;
}>) {
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Publish with unsaved changes?"
      confirmLabel="Save and publish"
      onConfirm={async () => {
        if (await save()) onPromote();
      }}
      alternative={isSaved ? { label: "Publish saved version", onConfirm: onPromote } : undefined}
    >
      Only saved changes can be published. Unsaved changes stay here, and you can publish them later.
    </ConfirmDialog>
  );
}
