import { LoaderCircle } from "lucide-react";

/** `label` is for screen readers. */
export function Spinner({ label }: Readonly<{ label: string }>) {
  return (
    <span className="inline-flex">
      <LoaderCircle aria-hidden="true" className="size-4 animate-spin" />
      <span className="sr-only">{label}</span>
    </span>
  );
}
