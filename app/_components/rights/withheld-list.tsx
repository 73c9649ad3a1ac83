import { CircleX } from "lucide-react";
import { Fragment } from "react";
import { Link } from "@/app/_components/ui/link";
import { type ItemFamily, itemAddress } from "@/lib/vocabulary/release-items";
import type { WithheldJson } from "@/lib/policy/why/answer-schema";
import type { Environment } from "@/lib/vocabulary/terms";

export function WithheldList({
  withheld,
  environment,
}: Readonly<{ withheld: readonly WithheldJson[]; environment: Environment }>) {
  return (
    <ul className="divide-y divide-line text-table">
      {withheld.map(({ permission, level, reason, groups }) => (
        <li key={`${permission} ${level}`} className="flex gap-2 py-1.5">
          <CircleX aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-bad" />
          <p className="min-w-0">
            <code className="font-mono text-xs wrap-anywhere">{permission}</code>
            {level !== null && <span className="text-xs text-muted"> {level}</span>}
            <span className="block text-muted">
              {reason} <ItemLinks family="group" keys={groups} environment={environment} />
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}

export function ItemLinks({
  family,
  keys,
  environment,
}: Readonly<{ family: ItemFamily; keys: readonly string[]; environment: Environment }>) {
  return keys.map((key, index) => (
    <Fragment key={key}>
      {index > 0 && ", "}
      <Link href={itemAddress({ family, key }, environment)}>{key}</Link>
    </Fragment>
  ));
}
