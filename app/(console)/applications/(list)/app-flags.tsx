import { KeyRound, Lock, Waypoints, Zap, type LucideIcon } from "lucide-react";
import { Tooltip } from "@/app/_components/ui/tooltip";
import type { ListFlag } from "@/lib/apps/applications/console/console-schema";

const flags: Readonly<Record<ListFlag, { readonly icon: LucideIcon; readonly words: string }>> = {
  auto: { icon: Zap, words: "Later versions are approved automatically" },
  administrator: { icon: KeyRound, words: "Gets the administrator groups" },
  passthrough: { icon: Waypoints, words: "May pass unknown RPCs through" },
  encryption: { icon: Lock, words: "Must encrypt its RPCs" },
};

/** The flags of an app as icons, each with its meaning. */
export function AppFlags({ names }: Readonly<{ names: readonly ListFlag[] }>) {
  return (
    <span className="relative z-1 inline-flex">
      {names.map((flag) => {
        const { icon: Icon, words } = flags[flag];
        return (
          <Tooltip key={flag} text={words}>
            <span tabIndex={0} role="img" aria-label={words} className="grid size-6 place-items-center text-muted">
              <Icon aria-hidden="true" className="size-3.5" />
            </span>
          </Tooltip>
        );
      })}
    </span>
  );
}
