import { CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { fieldLabels, type FieldName } from "../check-item";
import type { NodeChoice } from "./use-node-choice";
import { describePath, listPaths } from "../tree-edit";
import { fieldId } from "@/app/_components/fields/field";

const maxListed = 6;

/** Takes the focus when a save was refused. */
export function ProblemList({ choice: { root, shown, isAsked, choose } }: Readonly<{ choice: NodeChoice }>) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isAsked > 0) list.current?.focus();
  }, [isAsked]);
  const entries = listPaths(root).flatMap((path) => {
    const uid = path.at(-1)?.uid ?? "";
    return Object.entries(shown.get(uid) ?? {}).map(([field, { message }]) => ({
      uid,
      field: field as FieldName,
      message,
      where: describePath(path),
    }));
  });
  if (isAsked === 0 || entries.length === 0) return null;
  const more = entries.length - maxListed;
  return (
    <div
      ref={list}
      role="alert"
      tabIndex={-1}
      className="flex gap-2.5 rounded-card border border-bad-line bg-bad-soft px-3 py-2.5 text-table"
    >
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-bad" />
      <div className="min-w-0">
        <p className="font-semibold text-bad">
          {entries.length === 1 ? "Fix 1 problem" : `Fix ${entries.length} problems`} before you save
        </p>
        <ul className="mt-1 space-y-0.5">
          {entries.slice(0, maxListed).map(({ uid, field, message, where }) => (
            <li key={`${uid} ${field}`}>
              <button
                type="button"
                className="min-h-6 text-left text-link hover:underline"
                onClick={() => {
                  choose(uid);
                  // That node's form appears with the next render.
                  requestAnimationFrame(() => focusField(field));
                }}
              >
                {where}, {fieldLabels[field]}: {message}
              </button>
            </li>
          ))}
          {more > 0 && <li className="text-muted">and {more} more</li>}
        </ul>
      </div>
    </div>
  );
}

export function focusField(field: FieldName): void {
  document.getElementById(fieldId(field))?.querySelector<HTMLElement>("input")?.focus();
}
