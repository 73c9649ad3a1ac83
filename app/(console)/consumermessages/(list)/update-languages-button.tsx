"use client";
import { Languages } from "lucide-react";
import { Button } from "@/app/_components/ui/button";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { get } from "@/lib/platform/http/client";

/** Reads the languages of the RPC specification and says how many are new. */
export function UpdateLanguagesButton({ count }: Readonly<{ count: number }>) {
  const update = useAction("/api/v1/messages/update");

  async function run() {
    if (!(await update.tryRun())) return;
    const now = await countLanguages();
    if (now === null) showDone("Language list updated");
    else if (now > count) showDone(`Language list updated: ${now - count} added, ${now} in all`);
    else showDone(`Language list is up to date: nothing new among ${now} languages`);
  }

  return (
    <Button needsServer needs="edit" busy={update.isRunning} onClick={() => void run()}>
      <Languages aria-hidden="true" />
      Update language list
    </Button>
  );
}

/** The empty message holds every known language; null when it cannot be read. */
async function countLanguages(): Promise<number | null> {
  const answer = (await get("/api/v1/messages?template=true").catch(() => null)) as {
    readonly messages: readonly { readonly languages: readonly unknown[] }[];
  } | null;
  return answer?.messages[0]?.languages.length ?? null;
}
