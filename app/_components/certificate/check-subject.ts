import { certificateBody } from "@/lib/certificates/schema";
import { subjectFields, type SubjectForm } from "@/app/_components/certificate/certificate-subject";

/** Uses the route's schema. */
export function checkSubject(form: SubjectForm): Partial<Record<keyof SubjectForm, string>> {
  const errors: Partial<Record<keyof SubjectForm, string>> = {};
  for (const { name, label } of subjectFields) {
    const value = form[name].trim();
    const parsed = certificateBody.safeParse({ options: { clientKey: "any", [name]: value } });
    const message = parsed.error?.issues[0]?.message;
    if (message !== undefined) errors[name] = message.replace(`options.${name}`, label);
  }
  return errors;
}
