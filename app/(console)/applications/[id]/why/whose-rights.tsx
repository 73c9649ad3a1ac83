import { Link } from "@/app/_components/ui/link";
import { CheckboxField } from "@/app/_components/fields/checkbox-field";
import type { MatrixAnswer } from "@/lib/simulator/answer-schema";

const places = { staging: "Staging", production: "Production" } as const;

/** Which version's rights are shown, and the way to the other. */
export function WhoseRights({
  matrix: { environment, served_id: servedId, is_blocked: isBlocked, app },
  id,
  label,
  isAsServed,
  onChange,
}: Readonly<{
  matrix: MatrixAnswer;
  id: number;
  label: string;
  isAsServed: boolean;
  onChange: (isAsServed: boolean) => void;
}>) {
  const place = places[environment];
  if (isBlocked)
    return <Line>The app is blocked: {place} gives it nothing. Below is what it would get otherwise.</Line>;
  if (servedId === id) return <Line>{`${place} gives vehicles the rights of this version, ${label}.`}</Line>;
  return (
    <div className="space-y-2 px-4 pt-3 text-table">
      <p>
        {servedId === null ? (
          `${place} gives this app no rights of its own.`
        ) : (
          <>
            {place} gives vehicles the rights of{" "}
            <Link href={`/applications/${servedId}`}>
              {(app.version_id === servedId && app.version) || "another version"}
            </Link>
            .
          </>
        )}{" "}
        {isAsServed ? "They are shown below." : `Below is what ${label} would get in its place.`}
      </p>
      <CheckboxField label={`Show what ${place.toLowerCase()} gives now`} checked={isAsServed} onChange={onChange} />
    </div>
  );
}

function Line({ children }: Readonly<{ children: React.ReactNode }>) {
  return <p className="px-4 pt-3 text-table">{children}</p>;
}
