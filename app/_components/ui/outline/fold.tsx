import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

export function Fold({
  title,
  isOpen = false,
  onOpen,
  children,
}: Readonly<{ title: ReactNode; isOpen?: boolean; onOpen?: () => void; children: ReactNode }>) {
  return (
    <details
      className="group/fold"
      open={isOpen}
      onToggle={onOpen && (({ currentTarget }) => currentTarget.open && onOpen())}
    >
      <summary className="flex min-h-6 w-fit cursor-pointer items-center gap-1 rounded-control text-table font-semibold hover:underline pointer-coarse:min-h-11">
        <ChevronRight aria-hidden="true" className="size-4 text-muted group-open/fold:rotate-90" />
        {title}
      </summary>
      <div className="mt-2">{children}</div>
    </details>
  );
}
