import { createContext, use } from "react";

/** By the path of the member; `""` is the form as a whole. */
export type FieldErrors = Readonly<Record<string, string>>;

export const FieldErrorsContext = createContext<FieldErrors>({});

export function useFieldError(name: string | undefined): string | null {
  const errors = use(FieldErrorsContext);
  return (name === undefined ? undefined : errors[name]) ?? null;
}
