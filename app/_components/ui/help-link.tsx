import { CircleHelp } from "lucide-react";

export function HelpLink({ href }: Readonly<{ href: string }>) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      aria-label="Guide for this page (new tab)"
      title="Guide for this page"
      className="grid size-6 place-items-center rounded-control text-muted hover:bg-hover hover:text-text pointer-coarse:size-11 print:hidden"
    >
      <CircleHelp aria-hidden="true" className="size-4" />
    </a>
  );
}
