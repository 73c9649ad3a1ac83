import { Link } from "@/app/_components/ui/link";
import { Fragment } from "react";
import { itemAddress } from "@/lib/labels/release-items";
import type { ItemFamily } from "@/lib/labels/release-items";
import type { Environment } from "@/lib/labels/vocabulary";

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
