"use client";
import { useState } from "react";
import useSWR from "swr";
import { ErrorPanel } from "@/app/_components/feedback/error-panel";
import { SelectField } from "@/app/_components/fields/select-field";
import { Section } from "@/app/_components/ui/section";
import { Skeleton } from "@/app/_components/ui/skeleton";
import { get } from "@/lib/platform/http/client";
import type { MatrixAnswer } from "@/lib/policy/why/answer-schema";
import { coreChoices, newestCore, type CoreVersion } from "@/lib/vocabulary/head-units";
import type { Environment } from "@/lib/vocabulary/terms";
import { EnvironmentChoice } from "./environment-choice";
import { Link } from "@/app/_components/ui/link";
import { CheckboxField } from "@/app/_components/fields/checkbox";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { SearchInput } from "@/app/_components/fields/search-input";
import { RightLegend } from "@/app/_components/rights/right-mark";
import { hasWithheld, narrowRows } from "@/app/_components/rights/rights";
import { RightsTable } from "@/app/_components/rights/rights-table";
import { WithheldList } from "@/app/_components/rights/withheld-list";
import { Button } from "@/app/_components/ui/button";
import { plural } from "@/lib/vocabulary/format-number";

export function WhySection({
  uuid,
  id,
  label,
  first,
}: Readonly<{
  uuid: string;
  id: number;
  /** "v6" */
  label: string;
  /** Null: the page could not load it. */
  first: MatrixAnswer | null;
}>) {
  const [environment, setEnvironment] = useState<Environment>("staging");
  const [isAsServed, setIsAsServed] = useState(false);
  const [headUnit, setHeadUnit] = useState<CoreVersion>(newestCore);
  const isFirst = environment === "staging" && !isAsServed && headUnit === newestCore;
  const query = new URLSearchParams({ app: uuid, environment });
  if (!isAsServed) query.set("version", String(id));
  if (headUnit !== newestCore) query.set("head_unit", headUnit);
  const { data, error, isValidating, mutate } = useSWR<MatrixAnswer, unknown>(
    isFirst && first !== null ? null : `/api/v1/policy/matrix?${query.toString()}`,
    (address: string) => get(address) as Promise<MatrixAnswer>,
    { revalidateOnFocus: false, keepPreviousData: true, shouldRetryOnError: false },
  );
  const matrix = (isFirst ? first : null) ?? data;
  return (
    <Section
      id="permissions"
      title="Permissions and reasons"
      description="What this version requests and what it gets at each HMI level. Select a mark to see the reasons."
      flush
      actions={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <SelectField
            label="Head unit"
            hideLabel
            value={headUnit}
            options={coreChoices}
            onChange={setHeadUnit}
            className="w-48"
          />
          <EnvironmentChoice label="Environment of the permissions" value={environment} onChange={setEnvironment} />
        </div>
      }
    >
      {error !== undefined && matrix === undefined ? (
        <div className="p-4">
          <ErrorPanel error={error} onRetry={() => void mutate()} />
        </div>
      ) : matrix === undefined ? (
        <div className="p-4">
          <Skeleton className="h-64" />
        </div>
      ) : (
        <div aria-busy={isValidating} className={isValidating ? "opacity-60" : undefined}>
          <WhoseRights matrix={matrix} id={id} label={label} isAsServed={isAsServed} onChange={setIsAsServed} />
          <WhyMatrix key={`${environment} ${isAsServed} ${headUnit}`} matrix={matrix} />
        </div>
      )}
    </Section>
  );
}

const places = { staging: "Staging", production: "Production" } as const;

function WhoseRights({
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
    return <Line>The app is blocked: {place} gives it no permissions. Below is what it would get otherwise.</Line>;
  if (servedId === id) return <Line>{`${place} gives vehicles the permissions of this version, ${label}.`}</Line>;
  return (
    <div className="space-y-2 px-4 pt-3 text-table">
      <p>
        {servedId === null ? (
          `${place} gives this app no permissions of its own.`
        ) : (
          <>
            {place} gives vehicles the permissions of{" "}
            <Link href={`/applications/${servedId}`}>
              {(app.version_id === servedId && app.version) || "another version"}
            </Link>
            .
          </>
        )}{" "}
        {isAsServed ? "They are shown below." : `Below is what ${label} would get instead.`}
      </p>
      <CheckboxField
        label={`Show what ${place.toLowerCase()} gives now`}
        checked={isAsServed}
        onChange={onChange}
        className="print:hidden"
      />
    </div>
  );
}

function Line({ children }: Readonly<{ children: React.ReactNode }>) {
  return <p className="px-4 pt-3 text-table">{children}</p>;
}

function WhyMatrix({ matrix }: Readonly<{ matrix: MatrixAnswer }>) {
  const { rpcs, withheld, environment } = matrix;
  const [search, setSearch] = useState("");
  const [isWithheldOnly, setIsWithheldOnly] = useState(false);
  const shown = narrowRows(rpcs, search, isWithheldOnly);
  const count = rpcs.filter(hasWithheld).length;
  const named = new Set(rpcs.flatMap(({ name, parameters }) => [name, ...parameters.map((one) => one.name)]));
  const rest = withheld.filter(({ permission }) => !named.has(permission));
  if (rpcs.length === 0 && rest.length === 0) {
    return <p className="px-4 py-3 text-muted">It requests no permissions and gets none.</p>;
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 px-4 py-3">
        <SearchInput label="Search permissions" value={search} onChange={setSearch} className="sm:max-w-60" />
        <CheckboxField
          label={`Only requested and not granted (${plural(count, "RPC")})`}
          checked={isWithheldOnly}
          onChange={setIsWithheldOnly}
          className="print:hidden"
        />
        <RightLegend states={["granted", "consent", "rejected", "withheld"]} showsAsked />
        <p role="status" className="sr-only">
          {`${shown.length} of ${plural(rpcs.length, "RPC")}`}
        </p>
      </div>
      {shown.length > 0 ? (
        <div className="border-t border-line">
          <RightsTable
            key={`${search === ""} ${isWithheldOnly}`}
            rows={shown}
            caption="Permissions by HMI level"
            environment={environment}
            areOpen={search.trim() !== "" || isWithheldOnly}
          />
        </div>
      ) : (
        rpcs.length > 0 && (
          <div className="px-4 pb-4">
            <EmptyState
              title={search === "" ? "Every requested permission is granted" : "No permission matches the filters"}
              action={
                <Button
                  onClick={() => {
                    setSearch("");
                    setIsWithheldOnly(false);
                  }}
                >
                  Clear filters
                </Button>
              }
            />
          </div>
        )
      )}
      {matrix.surprises.length > 0 && (
        <div className="border-t border-line px-4 py-3">
          <h3 className="text-table font-semibold">Head units read its groups differently</h3>
          <ul className="mt-1 list-disc space-y-1 pl-5 text-table">
            {matrix.surprises.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </div>
      )}
      {rest.length > 0 && (
        <div className="border-t border-line px-4 py-3">
          <h3 className="text-table font-semibold">Requested, but not part of any known RPC</h3>
          <WithheldList withheld={rest} environment={environment} />
        </div>
      )}
    </>
  );
}
