"use client";
import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactElement, ReactNode, RefObject } from "react";
import { cn } from "@/app/_components/cn";
import { backdropClass, dialogClass, dialogFooterClass, viewportClass } from "@/app/_components/dialog-class";
import { IconButton } from "@/app/_components/icon-button";

/**
 * A dialog over the page; holds the focus and gives it back. For a question before an act use `ConfirmDialog`.
 *
 * @example
 * <Dialog title="Add RPC" trigger={<Button>Add</Button>} footer={<Button variant="primary">Add 3</Button>}>…</Dialog>
 */
export function Dialog({
  title,
  description,
  trigger,
  open,
  onOpenChange,
  size = "md",
  footer,
  initialFocus,
  children,
}: Readonly<{
  title: ReactNode;
  description?: ReactNode;
  trigger?: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  size?: "sm" | "md" | "lg" | "xl";
  footer?: ReactNode;
  initialFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
}>) {
  return (
    <Base.Root
      {...(open === undefined ? {} : { open })}
      onOpenChange={(isOpen) => {
        onOpenChange?.(isOpen);
      }}
    >
      {trigger && <Base.Trigger render={trigger} />}
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Viewport className={viewportClass}>
          <Base.Popup className={cn(dialogClass(size))} {...(initialFocus ? { initialFocus } : {})}>
            <header className="flex items-start gap-2 px-5 pt-4 pb-3">
              <div className="min-w-0 grow">
                <Base.Title className="text-base leading-6 font-semibold">{title}</Base.Title>
                {description && <Base.Description className="mt-1 text-muted">{description}</Base.Description>}
              </div>
              <Base.Close render={<IconButton icon={X} label="Close" size="icon-sm" className="-mr-1.5" />} />
            </header>
            <div className="min-h-0 grow overflow-y-auto px-5 pt-1 pb-5">{children}</div>
            {footer && <footer className={dialogFooterClass}>{footer}</footer>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

/** A button in the footer of a dialog that closes it. */
export function DialogClose({ render }: Readonly<{ render: ReactElement }>) {
  return <Base.Close render={render} />;
}
