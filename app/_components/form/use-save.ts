import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import type { z } from "zod";
import type { FieldErrors } from "@/app/_components/form/field-errors";
import type { Draft } from "@/app/_components/form/use-draft";
import { refreshCounters } from "@/app/_components/shell/navigation/counters";
import { showDone, showFindings, type ToastAction } from "@/app/_components/feedback/show-toast";
import { ApiError, post } from "@/lib/platform/http/client";
import { capital } from "@/lib/vocabulary/format-number";

export interface SaveOptions<T extends object> {
  readonly draft: Draft<T>;
  readonly path: string;
  readonly body: (value: T, baseId: number | null) => unknown;
  /** Loads on demand: `() => import("…/schema").then((m) => m.saveGroupBody)`. */
  readonly schema?: (value: T) => Promise<z.ZodType>;
  /** Converts `data.current` of a 409. */
  readonly readConflict?: (current: object & { readonly id: number }) => T;
  /** Receives the stored and the previous value. */
  readonly action?: (value: T, before: T) => ToastAction;
  /** Default: the page reloads. */
  readonly onSaved?: (answer: unknown, value: T) => void;
}

export interface Save<T extends object> {
  readonly submit: () => Promise<boolean>;
  readonly isSaving: boolean;
  readonly errors: FieldErrors;
  readonly problem: unknown;
  /** `theirs` is null if the item is gone. */
  readonly conflict: { readonly theirs: Theirs<T> | null } | null;
  readonly dismissConflict: () => void;
  readonly forgetProblems: () => void;
  /** Rebases the value onto their version and saves it. */
  readonly resolve: (value: T) => Promise<boolean>;
}

/** A refusal leaves the form as it is, with errors beside the fields or above the form. */
export function useSave<T extends object>(options: SaveOptions<T>): Save<T> {
  const { draft, path, body, schema, readConflict, action, onSaved } = options;
  const router = useRouter();
  // True even before the check, so that a double click saves once.
  const [isStoring, setIsStoring] = useState(false);
  const [isReloading, startReload] = useTransition();
  const [errors, setErrors] = useState<FieldErrors>({});
  const [problem, setProblem] = useState<unknown>(null);
  const [conflict, setConflict] = useState<Save<T>["conflict"]>(null);

  function forgetProblems() {
    setErrors({});
    setProblem(null);
  }

  async function store(value: T, baseId: number | null, before: T): Promise<boolean> {
    forgetProblems();
    setIsStoring(true);
    try {
      const sent = body(value, baseId);
      const checked = await (await schema?.(value))?.safeParseAsync(sent);
      if (checked?.success === false) {
        setErrors(toFieldErrors(checked.error));
        return false;
      }
      finish(await post(path, { arg: sent }), value, before);
      return true;
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 409 && hasCurrent(failure.data)) {
        const current = readCurrent(failure.data);
        const theirs = current && { id: current.id, value: readConflict?.(current) ?? (current as unknown as T) };
        setConflict({ theirs });
      } else setProblem(failure);
      return false;
    } finally {
      setIsStoring(false);
    }
  }

  function finish(answer: unknown, value: T, before: T) {
    draft.noteSaved(value);
    refreshCounters();
    showDone("Saved to staging", action?.(value, before));
    showFindings(answer);
    startReload(() => {
      if (onSaved) onSaved(answer, value);
      else router.refresh();
    });
  }

  return {
    submit: () => store(draft.value, draft.baseId, draft.base),
    isSaving: isStoring || isReloading,
    errors,
    problem,
    conflict,
    forgetProblems,
    dismissConflict: () => setConflict(null),
    resolve: (value) => {
      const theirs = conflict?.theirs ?? null;
      setConflict(null);
      // The save replaces their version, so undo must restore it.
      const before = theirs?.value ?? draft.base;
      draft.rebase(before, theirs?.id ?? 0, value);
      return store(value, theirs?.id ?? 0, before);
    },
  };
}

const hasCurrent = (data: unknown) => typeof data === "object" && data !== null && "current" in data;

export function toFieldErrors(error: z.ZodError): FieldErrors {
  const errors: Record<string, string> = {};
  for (const issue of error.issues) {
    const [path, message] = toFieldError(issue.path.map(String).join("."), issue.message);
    errors[path] ??= message;
  }
  return errors;
}

/** Drops the member from the API's sentence, because the field has a label. */
function toFieldError(path: string, message: string): readonly [path: string, message: string] {
  const said = /^(?:.*: )?([\w.-]+)(?:\[(\d+)\])? ((?:must|is|has|holds) .*)$/s.exec(message);
  const [, subject = "", index, rest = ""] = said ?? [];
  const isInside = subject.startsWith(`${path}.`);
  if (path === "" || (!isInside && subject !== path && !path.endsWith(`.${subject}`))) return [path, message];
  const place = `${isInside ? subject : path}${index === undefined ? "" : `.${index}`}`;
  const words = rest.replace("an integer", "a whole number");
  return [place, capital(words)];
}

interface Theirs<T> {
  readonly value: T;
  readonly id: number;
}

export function readCurrent(data: unknown): (object & { readonly id: number }) | null {
  if (typeof data !== "object" || data === null || !("current" in data)) return null;
  const { current } = data;
  if (typeof current !== "object" || current === null || !("id" in current)) return null;
  return typeof current.id === "number" ? { ...current, id: current.id } : null;
}
