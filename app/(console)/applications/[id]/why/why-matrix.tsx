import { useState } from "react";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { CheckboxField } from "@/app/_components/fields/checkbox-field";
import { SearchInput } from "@/app/_components/fields/search-input";
import { RightLegend } from "@/app/_components/rights/right-mark";
import { hasWithheld, narrowRows } from "@/app/_components/rights/rights";
import { RightsTable } from "@/app/_components/rights/rights-table";
import { WithheldList } from "@/app/_components/rights/withheld-list";
import { Button } from "@/app/_components/ui/button";
import type { MatrixAnswer } from "@/lib/simulator/answer-schema";
import { plural } from "@/lib/labels/format-number";

/** RPCs by HMI level, searched and narrowed in the browser, and below what has no place in the matrix. */
export function WhyMatrix({ matrix }: Readonly<{ matrix: MatrixAnswer }>) {
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
        />
        <RightLegend states={["granted", "consent", "withheld"]} showsAsked />
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
