import { CopyButton } from "@/app/_components/ui/copy-button";

/** What finds a failure of the server in its log, to be copied into a report. */
export function Reference({ id }: Readonly<{ id: string }>) {
  return (
    <p className="flex flex-wrap items-center gap-1 text-table text-muted">
      Reference: <code className="font-mono">{id}</code>
      <CopyButton text={id} label="Copy the reference" />
    </p>
  );
}
