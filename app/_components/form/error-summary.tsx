import { CircleAlert } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { fieldId } from "@/app/_components/fields/field";
import type { FieldErrors } from "@/app/_components/form/field-errors";

/** Announced once, when it appears. */
export function ErrorSummary({
  errors,
  labels,
}: Readonly<{ errors: FieldErrors; labels: Readonly<Record<string, string>> }>) {
  const summary = useRef<HTMLDivElement>(null);
  const entries = Object.entries(errors);
  // With the summary, not after it: nobody has begun to type elsewhere meanwhile.
  useLayoutEffect(() => {
    if (Object.keys(errors).length > 0) summary.current?.focus();
  }, [errors]);
  if (entries.length === 0) return null;
  return (
    <div
      ref={summary}
      role="alert"
      tabIndex={-1}
      className="flex gap-2.5 rounded-card border border-bad-line bg-bad-soft px-3 py-2.5 text-table"
    >
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-bad" />
      <div>
        <p className="font-semibold text-bad">
          {entries.length === 1 ? "Fix 1 problem" : `Fix ${entries.length} problems`}
        </p>
        <ul className="mt-1 space-y-0.5">
          {entries.map(([path, message]) => (
            <li key={path}>
              {path === "" ? (
                message
              ) : (
                <a
                  href={`#${fieldId(path)}`}
                  onClick={(event) => {
                    if (focusField(path)) event.preventDefault();
                  }}
                >
                  {labels[path] ?? labels[path.split(".")[0] ?? ""] ?? path}: {message}
                </a>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function focusField(path: string): boolean {
  const control = document
    .getElementById(fieldId(path))
    ?.querySelector<HTMLElement>("input:not([type=hidden]):not([aria-hidden=true]), textarea, select, button");
  control?.focus();
  return control !== null && control !== undefined;
}
