"use client";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { Button } from "@/app/_components/ui/button";
import { ExportMenu } from "@/app/_components/list/export-menu";
import { SelectField } from "@/app/_components/fields/select-field";
import { Spinner } from "@/app/_components/ui/spinner";

/** The release to compare with, as part of the address, and what differs from it as a file. */
export function CompareChoice({
  number,
  value,
  others,
}: Readonly<{
  number: number;
  /** Empty: the previous release. */
  value: string;
  /** Other releases, newest first. */
  others: readonly { readonly number: number; readonly label: string }[];
}>) {
  const router = useRouter();
  const [isLoading, startLoading] = useTransition();
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isLoading && <Spinner label="Comparing" />}
      <SelectField
        label="Compared with"
        hideLabel
        value={value}
        onChange={(to) => {
          startLoading(() => {
            router.replace(`/releases/${number}${to === "" ? "" : `?to=${to}`}`, { scroll: false });
          });
        }}
        options={[
          { value: "", label: "Previous release" },
          { value: "production", label: "Production now" },
          { value: "staging", label: "Staging" },
          ...others.map((one) => ({ value: String(one.number), label: one.label })),
        ]}
      />
      <ExportMenu
        path={`/api/v1/releases/${number}/diff/export`}
        csv="Differences as CSV"
        json="Differences as JSON"
        trigger={<Button className="print:hidden">Export differences</Button>}
      />
    </div>
  );
}
