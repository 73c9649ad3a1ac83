import { useRef, useState, type SubmitEvent } from "react";
import { Button } from "@/app/_components/ui/button";
import { Dialog } from "@/app/_components/overlay/dialog";
import type { OpenState } from "@/app/_components/overlay/opener";
import { Problem } from "@/app/_components/feedback/problem";
import { TextField } from "@/app/_components/fields/text-field";
import { useStoredText } from "@/app/_components/hooks/use-preference";
import { post } from "@/lib/platform/http/client";
import { type SubjectForm, subjectFields, withoutEmpty } from "@/app/_components/certificate/certificate-subject";

/** PEM; both or neither. */
export interface CertificatePair {
  readonly certificate: string;
  readonly privateKey: string;
}

export interface GenerateProps {
  /** Part of the subject; for apps their uuid. */
  readonly serialNumber: string | undefined;
  readonly description: string;
  readonly onGenerated: (pair: CertificatePair) => void;
}

/** Stores nothing. */
export function GenerateDialog({
  open,
  onOpenChange,
  serialNumber,
  description,
  onGenerated,
}: OpenState & GenerateProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title="Generate key and certificate"
      description={description}
    >
      <GenerateForm
        serialNumber={serialNumber}
        onGenerated={(pair) => {
          onGenerated(pair);
          onOpenChange(false);
        }}
      />
    </Dialog>
  );
}

function GenerateForm({ serialNumber, onGenerated }: Omit<GenerateProps, "description">) {
  const [remembered, remember] = useStoredText("certificate-subject");
  const [form, setForm] = useState<SubjectForm>(() => readForm(remembered));
  const [errors, setErrors] = useState<Partial<Record<keyof SubjectForm, string>>>({});
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const element = useRef<HTMLFormElement>(null);

  async function generate(event: SubmitEvent) {
    event.preventDefault();
    // The route's schema loads on demand: it is heavier than the page.
    const { checkSubject } = await import("@/app/_components/certificate/check-subject");
    const found = checkSubject(form);
    setErrors(found);
    const [first] = Object.keys(found);
    if (first !== undefined) {
      element.current?.querySelector<HTMLInputElement>(`[data-field="${first}"]`)?.focus();
      return;
    }
    setIsBusy(true);
    setProblem(null);
    try {
      const clientKey = await post("/api/v1/security/private", { arg: { options: {} } });
      const options = { ...withoutEmpty(form), clientKey, ...(serialNumber !== undefined && { serialNumber }) };
      const made = (await post("/api/v1/security/certificate", { arg: { options } })) as {
        readonly certificate: string;
        readonly clientKey: string;
      };
      remember(JSON.stringify(form));
      onGenerated({ certificate: made.certificate, privateKey: made.clientKey });
    } catch (error) {
      setProblem(error);
      setIsBusy(false);
    }
  }

  return (
    <form ref={element} noValidate className="space-y-4" onSubmit={(event) => void generate(event)}>
      <div className="grid gap-4 sm:grid-cols-2">
        {subjectFields.map(({ name, label, ...rest }) => (
          <TextField
            key={name}
            {...rest}
            data-field={name}
            label={label}
            value={form[name]}
            error={errors[name]}
            onChange={(value) => {
              setForm({ ...form, [name]: value });
              setErrors({ ...errors, [name]: undefined });
            }}
          />
        ))}
      </div>
      {problem !== null && <Problem error={problem} />}
      <div className="flex justify-end">
        <Button type="submit" variant="primary" needsServer busy={isBusy}>
          Generate
        </Button>
      </div>
    </form>
  );
}

function readForm(text: string | null): SubjectForm {
  let stored: unknown = null;
  try {
    stored = JSON.parse(text ?? "null");
  } catch {
    // Unreadable: as if nothing were remembered.
  }
  const members = typeof stored === "object" && stored !== null ? (stored as Record<string, unknown>) : {};
  return Object.fromEntries(
    subjectFields.map(({ name }) => [name, typeof members[name] === "string" ? members[name] : ""]),
  ) as unknown as SubjectForm;
}
