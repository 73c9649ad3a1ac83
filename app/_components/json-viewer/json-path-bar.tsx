import { Pencil } from "lucide-react";
import { CopyButton } from "@/app/_components/ui/copy-button";
import { toDotted, type JsonPath } from "@/app/_components/json-viewer/json-tree";
import { LinkButton } from "@/app/_components/ui/link-button";

export interface JsonLink {
  readonly label: string;
  readonly href: string;
}

export function JsonPathBar({
  path,
  value,
  link,
}: Readonly<{ path: JsonPath; value: unknown; link: JsonLink | null }>) {
  const dotted = toDotted(path);
  return (
    <div className="flex min-h-9 items-center gap-2 border-b border-line bg-page px-3 py-1 text-table">
      <p className="min-w-0 grow truncate font-mono text-xs text-muted" title={dotted}>
        <span className="sr-only">Shown part: </span>
        {dotted === "" ? "(everything)" : dotted}
      </p>
      {dotted !== "" && <CopyButton text={dotted} label="Copy path" />}
      <CopyButton text={typeof value === "string" ? value : JSON.stringify(value, null, 2)} label="Copy value" />
      {link && (
        <LinkButton href={link.href} size="sm">
          <Pencil aria-hidden="true" />
          {link.label}
        </LinkButton>
      )}
    </div>
  );
}
