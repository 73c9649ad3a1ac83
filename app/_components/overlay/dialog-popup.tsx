import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactElement, ReactNode, RefObject } from "react";
import { backdropClass, dialogClass, dialogFooterClass, viewportClass } from "@/app/_components/overlay/dialog-class";
import type { OpenState } from "@/app/_components/overlay/opener";
import { IconButton } from "@/app/_components/ui/icon-button";

export interface DialogContent {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly size?: "sm" | "md" | "lg" | "xl";
  readonly footer?: ReactNode;
  readonly initialFocus?: RefObject<HTMLElement | null>;
  readonly children?: ReactNode;
}

export function DialogPopup({
  title,
  description,
  open,
  onOpenChange,
  size = "md",
  footer,
  initialFocus,
  children,
}: Readonly<DialogContent & OpenState>) {
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => onOpenChange(isOpen)}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Viewport className={viewportClass}>
          <Base.Popup className={dialogClass(size)} {...(initialFocus && { initialFocus })}>
            <header className="flex items-start gap-2 px-5 pt-4 pb-3">
              <div className="min-w-0 grow">
                <Base.Title className="text-base leading-6 font-semibold">{title}</Base.Title>
                {description && <Base.Description className="mt-1 text-muted">{description}</Base.Description>}
              </div>
              <Base.Close render={<IconButton icon={X} label="Close" size="icon-sm" className="-mr-1.5" />} />
            </header>
            {children && <div className="min-h-0 grow overflow-y-auto px-5 pt-1 pb-5">{children}</div>}
            {footer && <footer className={dialogFooterClass}>{footer}</footer>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

export function DialogClose({ render }: Readonly<{ render: ReactElement }>) {
  return <Base.Close render={render} />;
}
