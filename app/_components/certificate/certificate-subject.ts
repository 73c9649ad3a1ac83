/** The members of `options` (`api.md` 6.4). */
export const subjectFields = [
  { name: "country", label: "Country", hint: "Two letters, e.g. DE", maxLength: 2, autoComplete: "country" },
  { name: "state", label: "State or province" },
  { name: "locality", label: "Locality" },
  { name: "organization", label: "Organisation", autoComplete: "organization" },
  { name: "organizationUnit", label: "Unit" },
  { name: "commonName", label: "Common name" },
  { name: "emailAddress", label: "E-mail", type: "email", autoComplete: "email" },
  { name: "days", label: "Validity in days", hint: "1 to 3650", inputMode: "numeric" },
] as const;

export type SubjectForm = { readonly [name in (typeof subjectFields)[number]["name"]]: string };

/** Empty fields get the server's defaults. */
export function withoutEmpty(form: SubjectForm): Partial<SubjectForm> {
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => (value.trim() === "" ? [] : [[name, value.trim()]])),
  );
}
