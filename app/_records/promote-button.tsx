import { Rocket } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { UnsavedPromotion } from "@/app/_components/form/unsaved-promotion";
import { Button } from "@/app/_components/ui/button";
import { LinkButton } from "@/app/_components/ui/link-button";

/** Leads to the review of what would be published; asks first about changes of the page that are not saved. */
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
