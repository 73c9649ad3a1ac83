import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import type { OverviewAnswer, StepKind } from "@/app/(console)/(overview)/answer-schema";

const texts: Readonly<Record<StepKind, readonly [title: string, sentence: string, path: string]>> = {
  sign_in: [
    "Protect the console",
    "Set AUTH_TYPE, so that only your people can change what vehicles get.",
    "/about#settings",
  ],
  directory: [
    "Connect the app directory",
    "Set its keys, and the server reads your apps from there.",
    "/about#settings",
  ],
  review: ["Review the first app", "See what it asks for, and approve it for staging or production.", "/applications"],
  publish: [
    "Publish a change",
    "Change a functional group in staging, review the effect, and publish it.",
    "/functionalgroups",
  ],
  vehicle: [
    "Look at it as a vehicle",
    "See which permissions a vehicle gets for its apps, and why.",
    "/policytable?tab=vehicle",
  ],
};

export function Steps({ steps }: Readonly<Pick<OverviewAnswer, "steps">>) {
  if (steps.length === 0) return null;
  return (
    <Section title="Next steps" className="mb-4">
      <ol className="grid gap-x-6 gap-y-3 sm:grid-cols-3">
        {steps.map((kind, index) => {
          const [title, sentence, path] = texts[kind];
          return (
            <li key={kind} className="flex gap-3 text-table">
              <span
                aria-hidden="true"
                className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-link"
              >
                {index + 1}
              </span>
              <div>
                <Link href={path} className="font-medium">
                  {title}
                </Link>
                <p className="text-muted">{sentence}</p>
              </div>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
